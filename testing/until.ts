import { setTimeout as delay } from "node:timers/promises";

/**
 * Polls for what happens in another process or thread, until the answer is neither null nor false. The time allowed is
 * for a machine that is busy with other things.
 */
export async function until<Value>(ask: () => Promise<Value | null | false>, withinMs = 120_000): Promise<Value> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms`);
    await delay(5);
  }
}
