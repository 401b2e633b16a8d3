/** A folder for the length of one command. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Deletes the folder when the work ends, and when the process is stopped, which aborts the work first. */
export async function withTemporaryFolder(
  name: string,
  work: (folder: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `triptych-${name}-`));
  const stopped = new AbortController();
  // A program that was just killed may have one more file written while they are deleted.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const onSignal = (signal: NodeJS.Signals) => {
    stopped.abort();
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    await work(folder, stopped.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    remove();
  }
}
