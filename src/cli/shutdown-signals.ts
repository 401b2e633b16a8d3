/**
 * The first signal starts a graceful shutdown; a second one, or the timeout, exits immediately. One Ctrl-C may arrive
 * several times (from the terminal, npm and bin/triptych.mjs), so signals in quick succession count as one.
 */
import { exitProcess } from "#serve/exit-process.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const REPEAT_MS = 500;

/** With `exceptHangup`, SIGHUP is none of them. */
export function firstShutdownSignal(timeoutMs: number, exceptHangup: boolean): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    for (const [signal, exitCode] of Object.entries(SIGNALS)) {
      if (signal === "SIGHUP" && exceptHangup) continue;
      process.on(signal, () => {
        const now = performance.now();
        if (firstAt === null) {
          firstAt = now;
          setTimeout(() => void exitProcess(0), timeoutMs).unref();
          resolve();
        } else if (now - firstAt > REPEAT_MS) void exitProcess(exitCode);
      });
    }
  });
}
