/** Deletes rows with everything derived from them. Records that refer to them stay as they are. */
import type { Expiry } from "#domain/retention.ts";
import { markDeleted } from "#store/erasure/port.ts";
import type { Steps } from "#store/sql/sql.ts";
import type { Removal, Selection } from "./concern.ts";
import { withVerb } from "./concerns.ts";
import type { RecordSteps } from "./unit.ts";

/** Returns what was deleted; in a dry run, what would be. */
export function* removeRows(unit: RecordSteps, selection: Selection): Steps<Removal[]> {
  const removals: Removal[] = [];
  for (const { remove } of withVerb("remove")) removals.push(...(yield* remove(unit, selection)));
  if (unit.sql.isDry) return removals;
  for (const { kind, rows: removed } of removals) {
    if (kind === "history") continue;
    for (const [platform, rows] of Map.groupBy(removed, (row) => row.platform)) {
      for (const { forget } of withVerb("forget")) yield* forget(unit, { platform, kind, rows });
    }
  }
  return removals;
}

/**
 * Deletes everything imported from one source, or a batch of what is due, and returns the number of rows. Nothing is marked
 * as erased: it may be imported again.
 */
export function* deleteRows(
  unit: RecordSteps,
  selection: Extract<Selection, { source: string } | { limit: number }>,
): Steps<number> {
  const removals = yield* removeRows(unit, selection);
  const count = removals.reduce((sum, removal) => sum + removal.count, 0);
  if (count > 0) yield* markDeleted(unit.sql);
  return count;
}

/** Counts what is due. */
export function* countExpired(unit: RecordSteps, expiry: Expiry): Steps<number> {
  let due = 0;
  for (const { count } of withVerb("count")) due += yield* count(unit, expiry);
  return due;
}
