/** Identifies the process that owns a claim: `host:pid:` and random characters, since process ids are reused. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { errorCode } from "#domain/error-code.ts";

export function newProcessId(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}

/** Only a process of this machine can be checked; the claims of others are valid until they expire. */
export function isProcessDead(owner: string): boolean {
  const [, host, number] = /^(.*):(\d+):[^:]*$/.exec(owner) ?? [];
  if (host !== hostname()) return false;
  const pid = Number(number);
  // A process runs each import once at a time, so a claim with its own pid is from an earlier run or process.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}
