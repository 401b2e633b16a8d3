/** Conformance of what is due: counted, and deleted a batch at a time. */
import { toUnit } from "#store/write/batch-changes.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { blankRecord } from "#domain/blank-record.ts";
import { type Expiry, RETENTION_KINDS } from "#domain/retention.ts";
import { account, comment, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import type { Store } from "#store/store.ts";

export function retentionSuite(current: () => Store): void {
  test("what is due of a kind is counted by source, and no more is deleted than asked for", async () => {
    const { writer } = current();
    const stamps = ["a", "a", "b"].map((source, index) => ({
      id: `${index + 1}`,
      native: {},
      capturedAt: NOW - 1000,
      source,
    }));
    const stampOf = ({ capturedAt, source }: (typeof stamps)[number]) => ({ capturedAt, source });
    await writer.write([
      toUnit(PLATFORM, {
        accounts: [...stamps.map((stamp) => account(stamp.id, stamp)), account("fresh", { source: "a" })],
        posts: stamps.map((stamp) => post(stamp.id, { ...stamp, counters: { views: 5 } })),
        comments: stamps.map((stamp) => comment(stamp.id, stamp)),
        sounds: stamps.map((stamp) => ({ ...blankRecord("sound"), ...stamp })),
        hashtags: stamps.map((stamp) => ({ ...blankRecord("hashtag"), ...stamp })),
        places: stamps.map((stamp) => ({ ...blankRecord("place"), ...stamp })),
        subtitles: stamps.map((stamp) => {
          return { postId: stamp.id, language: "en", automatic: true, lines: [], ...stampOf(stamp) };
        }),
        follows: stamps.map((stamp) => ({ accountId: "1", followerId: stamp.id, since: null, ...stampOf(stamp) })),
        chartEntries: stamps.map((stamp, index) => {
          return { country: "US", section: "now", day: "2026-11-14", rank: index + 1, postId: "1", ...stampOf(stamp) };
        }),
      }),
    ]);
    for (const kind of RETENTION_KINDS.toSorted((one) => (one === "history" ? -1 : 0))) {
      const run = async (expiry: Partial<Expiry>, limit: number) => {
        const due = { kind, source: null, except: [], before: NOW, ...expiry };
        return [await writer.countExpired(due), await writer.deleteExpired(due, limit)];
      };
      assert.deepEqual(await run({ before: NOW - 1000 }, 9), [0, 0], kind);
      if (kind !== "history") {
        assert.deepEqual(await run({ source: "a" }, 1), [2, 1], kind);
        assert.deepEqual(await run({ except: ["b"] }, 9), [1, 1], kind);
      }
      const version = await current().getPostsVersion();
      assert.deepEqual(await run({}, 2), kind === "history" ? [3, 2] : [1, 1], kind);
      assert.deepEqual(await run({}, 9), kind === "history" ? [1, 1] : [0, 0], kind);
      const isChanged = (await current().getPostsVersion()) !== version;
      assert.equal(isChanged, kind === "history" || kind === "post", `trends after ${kind}`);
    }
    const { records } = await current().summary();
    assert.deepEqual(records[PLATFORM], { account: 1 });
    assert.notEqual(await current().getPurgePending(), null);
  });
}
