import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { scheduleTrendRefresh } from "./trend-refresh.ts";

const REFRESH_S = 34;

/** A store that is written to in some seconds, and refreshes that take 34 s. */
async function simulate(t: TestContext, seconds: number, isWritten: (second: number) => boolean) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let second = 0;
  let version = 0;
  let busy = 0;
  let current = null as { of: number; endsAt: number; end: () => void } | null;
  const state = { computed: 0, currentAt: 0, errors: [] as unknown[] };
  const stop = scheduleTrendRefresh(
    { hasStaleTrends: async () => version > state.computed, getPostsVersion: async () => version },
    (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const mine = { of: version, endsAt: second + REFRESH_S, end: resolve };
      assert.equal(current, null, "one at a time");
      current = mine;
      signal.addEventListener("abort", () => {
        if (current === mine) current = null;
        reject(signal.reason as Error);
      });
      return promise;
    },
    (error) => state.errors.push(error),
    () => second * 1000,
  );
  for (; second < seconds; second++) {
    if (isWritten(second)) version++;
    if (current !== null) {
      busy++;
      const { of, endsAt, end } = current;
      if (endsAt <= second) {
        if (of === version && state.computed !== of) state.currentAt = second;
        state.computed = of;
        current = null;
        end();
      }
    }
    await nextTick();
    t.mock.timers.tick(1000);
    await nextTick();
  }
  await stop();
  t.mock.timers.reset();
  assert.deepEqual(state.errors, []);
  return { ...state, version, share: busy / seconds };
}

test("rankings follow an import of 1,000,000 posts within a minute, also if one was being computed at its end", async (t) => {
  for (let end = 400; end < 600; end += 7) {
    const { computed, version, currentAt } = await simulate(t, end + 61, (second) => second > 20 && second <= end);
    assert.equal(computed, version, `of an import that ended in second ${end}`);
    assert.ok(currentAt - end <= 60, `${currentAt - end} s behind`);
  }
});

test("refreshing takes about a fifth of a core, under constant writes and under one now and then", async (t) => {
  for (const every of [1, 7, 12, 20, 45]) {
    const { share, computed } = await simulate(t, 6_000, (second) => second % every === 0);
    assert.ok(share < 0.22, `${share} with a write every ${every} s`);
    assert.ok(computed > 0);
  }
});
