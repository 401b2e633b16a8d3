/** A thread that executes searches, on a read-only connection of its own. */
import { createLocalExecutor, type Executor, type OperationCall, type TokenAccess } from "#http/execute-operation.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { openSqliteForReading } from "./open-store.ts";
import { answerOwner } from "./rpc/answer-owner.ts";
import { NO_METHODS } from "./rpc/rpc-channel.ts";
import { SEARCH_THREAD_METHODS } from "./search-thread-methods.ts";

type Store = Awaited<ReturnType<typeof openSqliteForReading>>;
let services: Parameters<typeof createLocalExecutor>[1] & { store: Store };
const executors = new Map<string, Executor>();
/** By scopes: what a token may read is computed once. */
const principals = new Map<string, Parameters<Executor["accessOf"]>[0]>();

answerOwner(
  SEARCH_THREAD_METHODS,
  {
    async start({ dataDir, defaults, cursorKey }) {
      const store = await openSqliteForReading(dataDir);
      services = { store, defaults, cursorKey: Buffer.from(cursorKey), timeoutMs: null };
      return null;
    },
    execute(call) {
      const { executor, access } = prepare(call);
      return executor.execute(call.request, access);
    },
    run(call) {
      const { executor, access } = prepare(call);
      return executor.run(call.request, access);
    },
  },
  NO_METHODS,
);

function prepare({ operation: name, scopes }: OperationCall): { executor: Executor; access: TokenAccess } {
  // The snapshot of the search before may still be open, and be older than what was written since.
  services.store.noteWrite();
  let executor = executors.get(name);
  if (executor === undefined) {
    const operation = OPERATIONS.find((candidate) => candidate.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    executors.set(name, (executor = createLocalExecutor(operation, services)));
  }
  const key = scopes.join(" ");
  let principal = principals.get(key);
  if (principal === undefined) principals.set(key, (principal = { keyId: "", scopes: new Set(scopes) }));
  return { executor, access: executor.accessOf(principal) };
}
