/** The writer thread: imports beside a running server, so that requests are served meanwhile and its heap stays small. */
import { parentPort, workerData } from "node:worker_threads";
import { importHere } from "./import-here.ts";
import { checkToWriter, type FromWriter } from "./thread-messages.ts";

const send = (message: FromWriter) => parentPort?.postMessage(message);

try {
  const { config, request } = checkToWriter(workerData);
  const report = await importHere(config, request, {
    progress: (progress) => send({ kind: "progress", progress }),
    fileDone: (file) => send({ kind: "fileDone", file }),
    waiting: (files) => send({ kind: "waiting", files }),
    outage: () => send({ kind: "outage" }),
  });
  send({ kind: "report", report });
} catch (error) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  send({ kind: "failed", failure: { name, message, stack } });
}
