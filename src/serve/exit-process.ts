/**
 * Ends this process, also if a thread is stuck: Node waits for all threads when it exits, and a thread inside a SQLite query does
 * not end before the query.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";

const GRACE_MS = 1_000;

const threads = new Set<Worker>();
process.on("worker", (thread) => {
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
});

/** Never resolves. Listeners of `exit` are called before a SIGKILL too. */
export async function exitProcess(code: number): Promise<void> {
  const ended = Promise.all([...threads].map((thread) => thread.terminate()));
  await Promise.race([ended, delay(GRACE_MS)]);
  if (threads.size === 0) process.exit(code);
  process.emit("exit", code);
  process.kill(process.pid, "SIGKILL");
}
