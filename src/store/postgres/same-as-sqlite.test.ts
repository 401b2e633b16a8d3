/** Compares the two stores: after any sequence of writes they return the same results. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import { openFreshStore } from "#tests/postgres/fresh-store.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { openSqliteStore } from "../sqlite/store.ts";
import type { Store } from "../store.ts";
import type { Batch, Changes, Merge } from "../writer.ts";
import { listAllResults } from "#testing/all-store-results.ts";
import { toChanges } from "../batch-changes.ts";

/** Ids as captures may contain them: characters that are special to sorting, folding or storage. */
const IDS = ["1", "2", "10", "Zed", "_x", "é", "e\u0301", "💡", "a b", "q'\"\\", "nul\u0000l", "one\u0001"];
const WORDS = ["tea", "Tea house", "#Räuber tea", "night market", "茶の湯", "@ada says hi", "it's 100% \\ {tea}", ""];
const SOURCES = ["demo", "file\u0000", "other"];

const text = fc.option(fc.constantFrom(...WORDS), { nil: null });
const second = fc.constantFrom(SECOND, SECOND - 1, SECOND - 86_400, null);
const captured = fc.record({
  capturedAt: fc.constantFrom(NOW - 5_000, NOW, NOW + 5_000),
  source: fc.constantFrom(...SOURCES),
});
const counters = fc.record({ likes: fc.nat(1), views: fc.constant(70) }, { requiredKeys: [] });

/** Few ids at a time, so that writes hit existing records. */
function batchesOf(ids: string[]): fc.Arbitrary<Batch> {
  const id = fc.constantFrom(...ids);
  const anAccount = fc
    .tuple(id, captured, counters, fc.constantFrom("ada", "Ádá", "bo b", "nul\u0000", null), text)
    .map(([key, more, counts, name, bio]) => account(key, { ...more, counters: counts, name, bio }));
  const aPost = fc
    .tuple(id, id, captured, counters, second, text, fc.subarray(ids), fc.subarray(["Tea", "tea", "x\u0000y", "茶"]))
    .map(([key, authorId, more, counts, publishedAt, words, taggedIds, hashtags]) =>
      post(key, { ...more, authorId, counters: counts, publishedAt, text: words, taggedIds, hashtags }),
    );
  const aComment = fc
    .tuple(id, id, id, captured, counters, second, text, fc.constantFrom(null, null, "parent"))
    .map(([key, postId, authorId, more, counts, publishedAt, words, parentId]) =>
      comment(key, { ...more, postId, authorId, counters: counts, publishedAt, text: words, parentId }),
    );
  const aTrack = fc.tuple(id, captured, fc.boolean(), text).map(([postId, more, automatic, words]) => ({
    postId,
    language: "en",
    automatic,
    lines: [{ startS: 0, durationS: 1, text: words ?? "" }],
    ...more,
  }));
  const aFollow = fc
    .tuple(id, id, captured, second)
    .map(([accountId, followerId, more, since]) => ({ accountId, followerId, since, ...more }));
  const anEntry = fc
    .tuple(id, captured, fc.integer({ min: 1, max: 3 }), fc.constantFrom("2026-11-14", "2026-11-15"))
    .map(([postId, more, rank, day]) => ({ country: "US", section: "now", day, rank, postId, ...more }));
  const aHistory = fc
    .tuple(id, counters, fc.constantFrom(NOW - 9_000, NOW - 2_000, NOW))
    .map(([key, counts, capturedAt]) => ({
      kind: "post" as const,
      id: key,
      points: [{ capturedAt, counters: counts }],
    }));
  return fc.record({
    accounts: fc.array(anAccount, { maxLength: 3 }),
    posts: fc.array(aPost, { maxLength: 5 }),
    comments: fc.array(aComment, { maxLength: 4 }),
    subtitles: fc.array(aTrack, { maxLength: 2 }),
    follows: fc.array(aFollow, { maxLength: 3 }),
    chartEntries: fc.array(anEntry, { maxLength: 3 }),
    history: fc.array(aHistory, { maxLength: 3 }),
  });
}

type Step =
  | { put: Batch }
  | { apply: Batch[] }
  | { preview: Batch[] }
  | { mergeInto: string }
  | { deleteSource: string }
  | { refresh: true }
  | { erase: "account" | "post" | "comment"; id: string };

function stepsOf(ids: string[]): fc.Arbitrary<Step> {
  const batch = batchesOf(ids);
  const batches = fc.array(batch, { minLength: 1, maxLength: 2 });
  const id = fc.constantFrom(...ids);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ put: batch }) },
    { weight: 6, arbitrary: fc.record({ apply: batches }) },
    fc.record({ preview: batches }),
    fc.record({ mergeInto: id }),
    fc.record({ deleteSource: fc.constantFrom(...SOURCES) }),
    fc.record({ refresh: fc.constant(true as const) }),
    fc.record({ erase: fc.constantFrom("account", "post", "comment"), id }),
  );
}

/** The newer of two captures wins, with the counters of both. */
const newest: Merge = (_kind, held, found) => {
  const [older, newer] = held.capturedAt <= found.capturedAt ? [held, found] : [found, held];
  return { ...newer, counters: { ...older.counters, ...newer.counters } };
};

const changesOfAll = (batches: Batch[]): Changes[] => batches.map((batch) => toChanges(PLATFORM, batch));

/** Both stores must resolve to the same value. */
async function runStep({ writer }: Store, step: Step): Promise<unknown> {
  if ("put" in step) return writer.write(PLATFORM, step.put);
  if ("apply" in step) return writer.apply(changesOfAll(step.apply), newest);
  if ("preview" in step) return writer.preview(changesOfAll(step.preview), newest);
  if ("mergeInto" in step) return writer.mergePlaceholder(PLATFORM, "@ada", step.mergeInto, newest);
  if ("deleteSource" in step) return writer.deleteSource(step.deleteSource);
  if ("refresh" in step) return writer.refreshTrends();
  return writer.erase(PLATFORM, step.erase, step.id);
}

const runs = fc
  .shuffledSubarray(IDS, { minLength: 3, maxLength: 3 })
  .map((ids) => [...ids, "@ada"])
  .chain((ids) => fc.record({ ids: fc.constant(ids), steps: fc.array(stepsOf(ids), { minLength: 1, maxLength: 15 }) }));

test("PostgreSQL and SQLite return the same results after any writes", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ ids, steps }) => {
      const folder = mkdtempSync(join(tmpdir(), "triptych-same-"));
      const sqlite = openSqliteStore(folder, "full", () => NOW);
      const { store: postgres, close } = await openFreshStore(() => NOW);
      try {
        for (const step of steps) assert.deepEqual(await runStep(postgres, step), await runStep(sqlite, step));
        const expected = await listAllResults(sqlite, ids);
        assert.deepEqual(await listAllResults(postgres, ids), expected);
      } finally {
        await close();
        await sqlite.close();
        rmSync(folder, { recursive: true });
      }
    }),
    propertyBudget(20),
  );
});
