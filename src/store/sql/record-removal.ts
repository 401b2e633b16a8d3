/** Deletes records with everything derived from them. Records that refer to them stay as they are. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import { compositeKey } from "../job-touches.ts";
import { forgetTouches } from "./job-records.ts";
import { batchesOf, type RecordSteps } from "./record-steps.ts";
import { step, type Steps, type Value } from "./sql.ts";
import { deleteFromTrends } from "./trend-lists.ts";

export interface RemovedRecord {
  platform: PlatformName;
  kind: Exclude<RecordKind, "comment">;
  id: string;
  /** JSON; null if the record is not stored. */
  header: string | null;
}

export function* removeRecords(unit: RecordSteps, records: readonly RemovedRecord[]): Steps<void> {
  for (const group of Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    const { platform, kind } = group[0] as RemovedRecord;
    for (const batch of batchesOf(group)) yield* removeBatch(unit, platform, kind, batch);
    if (kind !== "post") continue;
    yield* deleteFromTrends(
      unit,
      platform,
      group.map(({ id }) => id),
    );
  }
}

function* removeBatch(
  unit: RecordSteps,
  platform: PlatformName,
  kind: RemovedRecord["kind"],
  records: RemovedRecord[],
): Steps<void> {
  const { sql } = unit;
  const ids = records.map(({ id }) => id);
  const stored = records.flatMap(({ id, header }) =>
    header === null ? [] : { id, record: JSON.parse(header) as unknown },
  );
  if (kind === "post") {
    const posts = stored.map(({ id, record }) => ({ id, post: record as Post }));
    yield* step(unit.removeFromLists(platform, posts));
  }
  if (kind === "account") {
    for (const { id, record } of stored) {
      const name = foldName((record as Account).name ?? "");
      yield* sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", name, platform, id);
    }
  }
  yield* forgetTouches(sql, platform, kind, ids);
  yield* step(unit.removeDocuments(platform, kind, ids));
  yield* sql.run("DELETE FROM counter_points WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  yield* sql.run("DELETE FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
}

/** Deletes the comments that match a condition, with their search documents. Returns their number. */
export function* removeComments(unit: RecordSteps, condition: string, ...values: Value[]): Steps<number> {
  const rows = yield* unit.sql.all<{ platform: PlatformName; post_id: string; id: string }>(
    `DELETE FROM comments WHERE ${condition} RETURNING platform, post_id, id`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const docIds = group.map(({ post_id, id }) => commentDocId(post_id, id));
    yield* step(unit.removeDocuments(platform, "comment", docIds));
    const keys = group.map(({ post_id, id }) => compositeKey(post_id, id));
    yield* forgetTouches(unit.sql, platform, "comment", keys);
  }
  return rows.length;
}

/** The same for subtitle tracks. */
export function* removeSubtitles(unit: RecordSteps, condition: string, ...values: Value[]): Steps<number> {
  const rows = yield* unit.sql.all<{ platform: PlatformName; post_id: string; language: string; automatic: unknown }>(
    `DELETE FROM subtitles WHERE ${condition} RETURNING platform, post_id, language, automatic`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const docIds = group.map(({ post_id, language, automatic }) =>
      subtitleDocId(post_id, language, Boolean(automatic)),
    );
    yield* step(unit.removeDocuments(platform, "subtitle", docIds));
    const keys = group.map(({ post_id, language, automatic }) => compositeKey(post_id, language, Boolean(automatic)));
    yield* forgetTouches(unit.sql, platform, "subtitles", keys);
  }
  return rows.length;
}

export function* removeFollows(unit: RecordSteps, condition: string, ...values: Value[]): Steps<number> {
  const rows = yield* unit.sql.all<{ platform: PlatformName; account_id: string; follower_id: string }>(
    `DELETE FROM follows WHERE ${condition} RETURNING platform, account_id, follower_id`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const keys = group.map(({ account_id, follower_id }) => compositeKey(account_id, follower_id));
    yield* forgetTouches(unit.sql, platform, "follow", keys);
  }
  return rows.length;
}

export function* removeChartEntries(unit: RecordSteps, condition: string, ...values: Value[]): Steps<number> {
  const { sql, charts } = unit;
  const rows = yield* sql.all<{ platform: PlatformName; day: string; rank: number }>(
    `DELETE FROM chart_entries WHERE ${condition} RETURNING platform, ${charts.names}`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const keys = group.map((row) => {
      const { country, section } = charts.fromKey(platform, { ...row });
      return compositeKey(country, section, row.day, row.rank);
    });
    yield* forgetTouches(sql, platform, "chart", keys);
  }
  return rows.length;
}

/** Deletes everything imported from one source. Nothing is marked as erased, so it may be imported again. */
export function* deleteSource(unit: RecordSteps, source: string): Steps<number> {
  let count = yield* removeComments(unit, "source = $1", source);
  count += yield* removeSubtitles(unit, "source = $1", source);
  count += yield* removeFollows(unit, "source = $1", source);
  count += yield* removeChartEntries(unit, "source = $1", source);
  const records = yield* unit.sql.all<RemovedRecord>(
    "SELECT platform, kind, id, header FROM records WHERE source = $1",
    source,
  );
  yield* removeRecords(unit, records);
  return count + records.length;
}
