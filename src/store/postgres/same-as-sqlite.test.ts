/** Compares the two stores: after any sequence of writes they return the same results. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { budget, limitRuns } from "#testing/budget.ts";
import { openFreshStore } from "#tests/postgres/fresh-store.ts";
import { batchesOf, IDS, SOURCES } from "#testing/random-batches.ts";
import { NOW, PLATFORM } from "#testing/sample-records.ts";
import { openSqliteStore } from "../sqlite/store.ts";
import type { Store } from "../store.ts";
import type { Batch, Changes, Merge } from "#store/write/port.ts";
import { listAllResults } from "#testing/all-store-results.ts";
import { toChanges, toUnit } from "#store/write/batch-changes.ts";

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
  if ("put" in step) return writer.write([toUnit(PLATFORM, step.put)]);
  if ("apply" in step) return writer.write([{ changes: changesOfAll(step.apply), merge: newest }]);
  if ("preview" in step)
    return writer.write([{ changes: changesOfAll(step.preview), merge: newest }], { dryRun: true });
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
    limitRuns(budget("storeWrites")),
  );
});
