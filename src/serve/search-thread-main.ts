/** A thread that executes searches, on a read-only connection of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { ApiError } from "#errors";
import { createLocalExecutor, type Executor, type OperationCall, type TokenAccess } from "#http/execute-operation.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { openSqliteForReading } from "./open-store.ts";
import {
  checkSearchThreadData,
  checkToSearchThread,
  type FromSearchThread,
  type SearchFailure,
  type ToSearchThread,
} from "./search-thread-messages.ts";
import { toFailure } from "./thread-failure.ts";

const { dataDir, defaults, cursorKey } = checkSearchThreadData(workerData);
const store = await openSqliteForReading(dataDir);
const services = { store, defaults, cursorKey: Buffer.from(cursorKey), timeoutMs: null };
const executors = new Map<string, Executor>();
/** By scopes: what a token may read is computed once. */
const principals = new Map<string, Parameters<Executor["accessOf"]>[0]>();

const send = (message: FromSearchThread) => parentPort?.postMessage(message);

function prepare({ operation: name, scopes }: OperationCall): { executor: Executor; access: TokenAccess } {
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

async function onMessage({ kind, call }: ToSearchThread): Promise<void> {
  // The snapshot of the search before may still be open, and be older than what was written since.
  store.noteWrite();
  try {
    const { executor, access } = prepare(call);
    if (kind === "run") send({ kind: "result", result: await executor.run(call.request, access) });
    else send({ kind: "response", response: await executor.execute(call.request, access) });
  } catch (error) {
    send({ kind: "failed", failure: toSearchFailure(error) });
  }
}

function toSearchFailure(error: unknown): SearchFailure {
  const api = error instanceof ApiError ? { code: error.code, errors: error.errors, headers: error.headers } : null;
  return { ...toFailure(error), api };
}

parentPort?.on("message", (data: unknown) => void onMessage(checkToSearchThread(data)));
send({ kind: "ready" });
