import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_S } from "#domain/time.ts";
import { NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { allTrends } from "../conformance/trends.ts";
import { type Database, openForWriting } from "./database.ts";
import { createReader } from "./reader.ts";
import { RenderedRows } from "./rendered-rows.ts";
import { TrendUpkeep } from "./trend-upkeep.ts";
import { createWriter } from "./writer.ts";

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "triptych-trends-"));
  const db = openForWriting(join(folder, "store.sqlite"), "small");
  try {
    await work(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function trendsOf(db: Database): Promise<object[]> {
  return allTrends({ reader: (platform) => createReader(db, platform, null) });
}

/** Counted from the records alone, all at once. */
function trendsCountedAnew(db: Database, now: number): Promise<object[]> {
  db.exec("DELETE FROM trend_state");
  const trends = new TrendUpkeep(db, () => now);
  while (trends.isBehind()) trends.catchUp();
  return trendsOf(db);
}

const step = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  platform: fc.constantFrom(PLATFORM, PLATFORM, "longvideo"),
  seen: fc.array(fc.tuple(fc.integer({ min: -1, max: 245 }), fc.nat({ max: 300 })), { minLength: 1, maxLength: 4 }),
  hashtags: fc.subarray(["dawn", "dusk"]),
  country: fc.constantFrom(null, "US"),
  daysLater: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 100, max: 130 })),
  erased: fc.constantFrom(false, false, false, true),
});

test("posts that are written while the day changes step by step count once, as of the right day", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) =>
      withDatabase(async (db) => {
        let now = NOW;
        const trends = new TrendUpkeep(db, () => now, 2);
        const writer = createWriter(db, trends, new RenderedRows(db, {}));
        for (const { id, platform, seen, daysLater, erased, ...about } of steps) {
          const points = seen.map(([ago, views]) => ({ capturedAt: NOW - ago * DAY_S * 1000, counters: { views } }));
          const kept = post(id, { ...about, publishedAt: SECOND - 90 * DAY_S });
          await writer.write(platform, { posts: [kept], history: [{ kind: "post", id, points }] });
          now += daysLater * DAY_S * 1000;
          if (erased) await writer.erase(platform, "post", id);
        }
        while (trends.isBehind()) trends.catchUp();
        assert.deepEqual(await trendsOf(db), await trendsCountedAnew(db, now));
      }),
    ),
    { numRuns: 60 },
  ));
