import { setTimeout as delay } from "node:timers/promises";

/**
 * Polls for what happens in another process or thread, until the answer is neither null nor false. The time allowed is
 * for a machine that is busy with other things.
 */
export async function until<Value>(ask: () => Promise<Value | null | false>, withinMs = 120_000): Promise<Value> {
  const began = performance.now();
  for (;;) {
    const response = await ask();
    if (response !== null && response !== false) return response;
    const elapsedMs = performance.now() - began;
    if (elapsedMs > withinMs) throw new Error(`not within ${withinMs} ms`);
    // What takes long is polled less often: polling takes processor time from what is waited for.
    await delay(Math.min(5 + elapsedMs / 50, 25));
  }
}
