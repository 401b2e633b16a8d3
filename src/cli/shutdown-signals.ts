/**
 * Stopping by signal: the first asks for a calm end, a second one ends at once, and so does the clock. Ctrl-C may arrive
 * several times for one key press (from the terminal, npm and bin/triptych.mjs), so echoes count as one.
 */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const ECHO_MS = 500;

export function firstShutdownSignal(patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    for (const [signal, exitCode] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        const now = performance.now();
        if (firstAt === null) {
          firstAt = now;
          setTimeout(() => process.exit(0), patienceMs).unref();
          resolve();
        } else if (now - firstAt > ECHO_MS) process.exit(exitCode);
      });
    }
  });
}
