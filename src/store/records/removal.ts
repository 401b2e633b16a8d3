/** Deletes records with everything derived from them. Records that refer to them stay as they are. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { ReportKind } from "#domain/job.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { RecordKey } from "#store/write/record-row.ts";
import { commentDocId, subtitleDocId } from "#store/search/doc-ids.ts";
import { compositeKey } from "#store/undo/port.ts";
import { forgetTouches } from "#store/undo/statements.ts";
import { markDeleted } from "#store/erasure/purge-state.ts";
import { batchesOf, type RecordSteps } from "#store/write/unit.ts";
import { step, type Steps, type Value } from "#store/sql/sql.ts";
import type { Scalar } from "#store/sql/table.ts";
import { deleteFromTrends } from "#store/trends/statements.ts";

export interface RemovedRecord extends RecordKey {
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

export type DependentKind = Exclude<ReportKind, RecordKind> | "comment";

interface Dependent {
  table: string;
  /** What identifies a row beside its platform. */
  key: readonly string[];
  document?: { kind: SearchKind; idOf: (postId: string, id: string, automatic: boolean) => string };
}

/** What is stored beside the table of records. */
export const DEPENDENTS: Readonly<Record<DependentKind, Dependent>> = {
  comment: { table: "comments", key: ["post_id", "id"], document: { kind: "comment", idOf: commentDocId } },
  subtitles: {
    table: "subtitles",
    key: ["post_id", "language", "automatic"],
    document: { kind: "subtitle", idOf: subtitleDocId },
  },
  follow: { table: "follows", key: ["account_id", "follower_id"] },
  chart: { table: "chart_entries", key: ["country", "section", "day", "rank"] },
};

export function isDependent(kind: string): kind is DependentKind {
  return Object.hasOwn(DEPENDENTS, kind);
}

/** The primary key, as the store has it. */
export function keyColumns({ charts }: Pick<RecordSteps, "charts">, kind: DependentKind): string {
  return `platform, ${kind === "chart" ? charts.names : DEPENDENTS[kind].key.join(", ")}`;
}

/** Deletes the rows of a kind that match a condition, with their search documents. Returns their number. */
export function* removeRows(
  unit: RecordSteps,
  kind: DependentKind,
  condition: string,
  ...values: Value[]
): Steps<number> {
  const { table, key, document } = DEPENDENTS[kind];
  const rows = yield* unit.sql.all<Record<string, Scalar> & { platform: PlatformName }>(
    `DELETE FROM ${table} WHERE ${condition} RETURNING ${keyColumns(unit, kind)}`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const keys = group.map((row) => {
      const named = kind === "chart" ? { ...row, ...unit.charts.fromKey(platform, row) } : row;
      return key.map((column) => (column === "automatic" ? Boolean(named[column]) : (named[column] as string)));
    });
    if (document !== undefined) {
      const ids = keys.map((parts) => document.idOf(...(parts as [string, string, boolean])));
      yield* step(unit.removeDocuments(platform, document.kind, ids));
    }
    const touched = keys.map((parts) => compositeKey(...parts));
    yield* forgetTouches(unit.sql, platform, kind, touched);
  }
  return rows.length;
}

/** Deletes everything imported from one source. Nothing is marked as erased, so it may be imported again. */
export function* deleteSource(unit: RecordSteps, source: string): Steps<number> {
  let count = 0;
  for (const kind of Object.keys(DEPENDENTS) as DependentKind[])
    count += yield* removeRows(unit, kind, "source = $1", source);
  const records = yield* unit.sql.all<RemovedRecord>(
    "SELECT platform, kind, id, header FROM records WHERE source = $1",
    source,
  );
  yield* removeRecords(unit, records);
  if (count + records.length > 0) yield* markDeleted(unit.sql);
  return count + records.length;
}
