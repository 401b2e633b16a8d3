/** The end of a thread whose owner calls it. */
import { parentPort } from "node:worker_threads";
import { present } from "#domain/present.ts";
import { portChannel } from "./thread-channel.ts";
import { type Handlers, type MethodTable, RpcChannel } from "./rpc-channel.ts";

/** `onStop` is called after the calls in progress, before the thread ends. */
export function answerOwner<Local extends MethodTable, Owner extends MethodTable>(
  local: Local,
  handlers: Handlers<Local>,
  owner: Owner,
  onStop?: () => Promise<void>,
): RpcChannel<Owner, Local> {
  const port = present(parentPort);
  return new RpcChannel(portChannel(port), {
    remote: owner,
    local,
    handlers,
    async onStop() {
      await onStop?.();
      port.close();
    },
    onError(error) {
      throw error;
    },
  });
}
