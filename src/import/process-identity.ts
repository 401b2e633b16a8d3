/** Who holds a claim: `host:pid:` and a random word, since process ids come again. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

export function newProcessId(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}

/** A process of this machine can be looked for; one of another machine is believed as long as its claims live. */
export function isProcessDead(owner: string): boolean {
  const [, host, number] = /^(.*):(\d+):[^:]*$/.exec(owner) ?? [];
  if (host !== hostname()) return false;
  const pid = Number(number);
  // A process does one import at a time: whatever bears its number was an earlier one.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
