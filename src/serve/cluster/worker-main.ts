/** A worker as a process: it opens what the first process tells it to, answers, and ends with it. */
import { flushCompileCache } from "node:module";
import type { PrimaryMethods, WorkerMethods } from "./ipc-protocol.ts";
import { type Handlers, RpcChannel } from "./ipc-rpc.ts";
import { HttpWorker } from "./http-worker.ts";

// A key press reaches all processes of a terminal, and a supervisor may signal all: the first one decides for all.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

const answers: Handlers<WorkerMethods> = {
  async open(opening) {
    const address = await worker.open(opening);
    // Kept now and not at the end, which may be a kill.
    flushCompileCache();
    return address;
  },
  metrics: () => worker.metrics(),
  changed: (event) => worker.hearOf(event),
  uploadsFull: (full) => worker.setUploadsFull(full),
  logLevel: (level) => worker.setLogLevel(level),
  async stop() {
    await worker.close();
    // Node ends a worker that has no channel.
    process.disconnect();
    return null;
  },
};

const worker = new HttpWorker(new RpcChannel<PrimaryMethods>(process, answers));
