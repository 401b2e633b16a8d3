import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { type Database, openForWriting } from "./database.ts";
import { TrendRanks } from "./trend-ranks.ts";

const DEPTH = 3;
const LIST = "shortvideo/hashtag/";
const RANKING = `${LIST}/7`;

let folder: string;
let db: Database;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "triptych-ranks-"));
  db = openForWriting(join(folder, "store.sqlite"), "small");
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One transaction: each entry is given its new value, and the ranking is told. */
function give(ranks: TrendRanks, values: Map<string, number>, entries: readonly (readonly [string, number])[]): void {
  ranks.begin();
  for (const [key, value] of entries) {
    const change = value - (values.get(key) ?? 0);
    values.set(key, value);
    db.run("INSERT OR REPLACE INTO trend_sums VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0)", LIST, key, value);
    ranks.move(LIST, key, [change, 0, 0, 0, 0, 0], [value, 0, 0, 0, 0, 0]);
  }
  ranks.finish();
}

const entry = fc.tuple(fc.constantFrom(...Array.from("abcdefghijkl")), fc.nat({ max: 9 }));

test("the head of a ranking is right to its depth, whatever rises and falls, and does not grow with the rest", () => {
  fc.assert(
    fc.property(fc.array(fc.array(entry, { maxLength: 12 }), { maxLength: 12 }), (transactions) => {
      db.exec("DELETE FROM trend_sums; DELETE FROM trend_ranks; DELETE FROM trend_heads");
      const ranks = new TrendRanks(db, () => DEPTH);
      const values = new Map<string, number>();
      for (const entries of transactions) {
        give(ranks, values, entries);
        const right = [...values]
          .filter(([, value]) => value > 0)
          .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
        const held = db.all<{ key: string; value: number }>(
          "SELECT key, value FROM trend_ranks WHERE ranking = ? ORDER BY value DESC, key",
          RANKING,
        );
        const head = held.map(({ key, value }) => [key, value]);
        assert.ok(head.length >= Math.min(DEPTH, right.length));
        assert.deepEqual(head, right.slice(0, head.length));
      }
    }),
  );
});

test("a long ranking is cut and filled up again", () => {
  db.exec("DELETE FROM trend_sums; DELETE FROM trend_ranks; DELETE FROM trend_heads");
  const ranks = new TrendRanks(db, () => DEPTH);
  const values = new Map<string, number>();
  const length = () => db.get<{ n: number }>("SELECT count(*) AS n FROM trend_ranks WHERE ranking = ?", RANKING)?.n;
  give(
    ranks,
    values,
    Array.from({ length: 100 }, (_, index) => [`k${index}`, index + 1] as const),
  );
  assert.ok((length() ?? 0) <= 2 * DEPTH);
  give(
    ranks,
    values,
    Array.from({ length: 98 }, (_, index) => [`k${index + 2}`, 0] as const),
  );
  assert.equal(length(), 2);
});
