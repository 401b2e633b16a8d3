/** Watches by a clock that the test sets. Both stores run the same statements: see store/watches/conformance.ts. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import type { Watch } from "#domain/watch.ts";
import { formatInterval, parseInterval } from "#domain/parse-interval.ts";
import { WatchScheduler } from "./watch-scheduler.ts";
import type { WatchAnswer, WatchSource } from "./watch-source.ts";

const START = Date.parse("2026-11-01T00:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("the watch scheduler", () => {
  let folder: string;
  let store: Store;
  let now: number;
  let asked: { at: number; minAgeMs: number }[];
  let answer: WatchAnswer;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "triptych-watches-"));
    store = openSqliteStore(folder);
  });
  beforeEach(async () => {
    now = START;
    asked = [];
    answer = { state: "filled" };
    for (const { id } of await store.watches.listWatches()) await store.watches.deleteWatch(id);
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const source: WatchSource = {
    sourceOf: (operation, platform) => (operation === "nothing" ? null : `${platform} ${operation.slice(0, 4)}`),
    async ask({ minAgeMs }) {
      asked.push({ at: now, minAgeMs });
      return answer;
    },
  };
  const kind = (operation: string) => ({
    target: "anything",
    operation,
    toInput: (target: string) => ({ target }),
    parseTarget: (text: string) => text,
  });
  const watchable = {
    longvideo: { channel: kind("data/posts"), search: kind("data/search"), feed: kind("feed"), none: kind("nothing") },
    photoshare: { account: kind("data/posts") },
  };
  const schedulerOf = (owner: string, from: WatchSource = source) =>
    new WatchScheduler({ watches: store.watches, source: from, watchable, owner, clock: () => now });

  async function add(target: string, everyMs: number, more: Partial<Watch> = {}): Promise<Watch> {
    return store.watches.addWatch({
      id: target,
      platform: "longvideo",
      kind: "channel",
      target,
      everyMs,
      state: "active",
      createdAt: now,
      nextAt: now,
      lastAt: null,
      lastOutcome: null,
      runs: 0,
      ...more,
    });
  }

  /** Ticks until a time, as a service does. */
  async function runUntil(end: number, everyMs = MINUTE, scheduler = schedulerOf("one")): Promise<void> {
    for (; now < end; now += everyMs) await scheduler.tick();
  }

  test("a watch of every 6 hours makes 120 requests in 30 days, without drifting", async () => {
    await add("bakery", 6 * HOUR);
    // Ticks that never fall on the hour.
    await runUntil(START + 30 * DAY, 7 * MINUTE);
    assert.equal(asked.length, 120);
    for (const [index, { at }] of asked.entries()) {
      const late = at - (START + index * 6 * HOUR);
      assert.ok(late >= 0 && late < 7 * MINUTE, `request ${index} is ${late} ms late`);
    }
    const [watch] = await store.watches.listWatches();
    assert.deepEqual([watch?.runs, watch?.lastOutcome, watch?.nextAt], [120, "updated", START + 30 * DAY]);
  });

  test("after a stop each watch is requested once, one per tick, and then in its rhythm again", async () => {
    for (let index = 0; index < 20; index++) await add(`channel ${index}`, 6 * HOUR);
    await runUntil(START + HOUR);
    assert.equal(asked.length, 20);
    asked = [];
    now = START + 10 * DAY;
    await runUntil(now + 5 * HOUR);
    assert.equal(asked.length, 20, "what was missed is not made up for");
    assert.equal(new Set(asked.map(({ at }) => at)).size, 20, "one per tick");
    await runUntil(now + 6 * HOUR);
    assert.equal(asked.length, 40);
  });

  test("sources do not wait for each other, and two processes never run watches of one source at a time", async () => {
    await add("a", HOUR);
    await add("b", HOUR, { kind: "search" });
    await add("c", HOUR, { kind: "feed" });
    let running = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: WatchSource = {
      ...source,
      async ask(request) {
        running++;
        await promise;
        running--;
        return source.ask(request);
      },
    };
    const first = schedulerOf("one", slow).tick();
    const second = await schedulerOf("two").tick();
    assert.deepEqual(second, []);
    assert.equal(running, 2, "one of each source");
    resolve();
    assert.equal((await first).length, 2);
    assert.equal((await schedulerOf("two").tick()).length, 1);
    assert.deepEqual(await schedulerOf("one").tick(), []);
  });

  test("two platforms' watches of one operation do not wait for each other", async () => {
    await add("a", HOUR);
    await add("b", HOUR, { platform: "photoshare", kind: "account" });
    assert.equal((await schedulerOf("one").tick()).length, 2);
  });

  test("a used-up quota is asked again when the source says so; a failure waits for the next time", async () => {
    await add("bakery", 6 * HOUR);
    answer = { state: "unavailable", reason: "has used up its units", retryAfterS: 2 * 3600 };
    await schedulerOf("one").tick();
    const [exhausted] = await store.watches.listWatches();
    assert.deepEqual(
      [exhausted?.nextAt, exhausted?.lastOutcome],
      [START + 2 * HOUR, "the source has used up its units"],
    );
    now = START + 2 * HOUR;
    answer = { state: "unavailable", reason: "answered with status 500", retryAfterS: null };
    await schedulerOf("one").tick();
    assert.equal((await store.watches.listWatches())[0]?.nextAt, START + 8 * HOUR);
    // Not before a minute has passed, and not after the next regular time.
    for (const [retryAfterS, nextAt] of [
      [5, START + 8 * HOUR + MINUTE],
      [DAY / 1_000, START + 14 * HOUR + MINUTE],
    ] as const) {
      now = (await store.watches.listWatches())[0]?.nextAt ?? 0;
      answer = { state: "unavailable", reason: "has used up its units", retryAfterS };
      await schedulerOf("one").tick();
      assert.equal((await store.watches.listWatches())[0]?.nextAt, nextAt);
    }
    assert.deepEqual(
      [...new Set(asked.map(({ minAgeMs }) => minAgeMs))],
      [3 * HOUR],
      "what is newer than half of the interval is not requested",
    );
  });

  test("a request that fails unexpectedly is the outcome of its watch, and keeps no other from running", async () => {
    await add("bakery", HOUR);
    await add("b", HOUR, { kind: "feed" });
    const failing: WatchSource = { ...source, ask: () => Promise.reject(new Error("is confused")) };
    assert.equal((await schedulerOf("one", failing).tick()).length, 2);
    for (const { lastOutcome, nextAt } of await store.watches.listWatches())
      assert.deepEqual([lastOutcome, nextAt], ["the source is confused", START + HOUR]);
  });

  test("paused watches and those without a source are not requested", async () => {
    await add("bakery", HOUR);
    await add("nobody", HOUR, { kind: "none" });
    await store.watches.setWatchState("bakery", "paused", now);
    await runUntil(START + 5 * HOUR);
    assert.deepEqual(asked, []);
    assert.equal((await store.watches.setWatchState("bakery", "active", now))?.nextAt, now);
    await schedulerOf("one").tick();
    assert.equal(asked.length, 1);
  });

  test("intervals are minutes, hours or days", () => {
    assert.deepEqual(["30m", "6h", "1d", "90m", "4m", "6", "x", "9999d", "0h"].map(parseInterval), [
      30 * MINUTE,
      6 * HOUR,
      DAY,
      90 * MINUTE,
      null,
      null,
      null,
      null,
      null,
    ]);
    assert.deepEqual([30 * MINUTE, 6 * HOUR, DAY, 90 * MINUTE].map(formatInterval), ["30m", "6h", "1d", "90m"]);
  });
});
