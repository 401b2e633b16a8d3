/** Entry point of a worker process. The primary starts and stops it over IPC, and it exits with the primary. */
import { flushCompileCache } from "node:module";
import { exitProcess } from "../exit-process.ts";
import { HttpWorker } from "./http-worker.ts";
import { processChannel } from "../rpc/process-channel.ts";
import { RpcChannel } from "../rpc/rpc-channel.ts";
import { PRIMARY_METHODS, WORKER_METHODS } from "./ipc-protocol.ts";

// Ctrl-C reaches every process of a terminal, and a supervisor may signal all of them: the primary decides.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
// The primary has exited, or this worker has disconnected after a stop.
process.once("disconnect", () => void exitProcess(0));

const primary = new RpcChannel(processChannel(process), {
  remote: PRIMARY_METHODS,
  local: WORKER_METHODS,
  handlers: {
    async start(init) {
      const url = await worker.start(init);
      // Now, because a worker may end by SIGKILL.
      flushCompileCache();
      return url;
    },
    metrics: () => worker.metrics(),
    storeEvent: (event) => worker.emit(event),
    fullTokens: (tokens) => worker.setFullTokens(tokens),
    logLevel: (level) => worker.setLogLevel(level),
    reopenLog: () => worker.reopenLog(),
  },
  async onStop() {
    try {
      await worker.close();
    } finally {
      process.disconnect();
    }
  },
  onError: (error) => worker.logError(error),
});
const worker = new HttpWorker(primary);
