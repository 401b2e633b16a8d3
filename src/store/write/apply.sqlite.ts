/** Merges the changes of a batch into the stored rows, one by one, within a transaction. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { countResult, type WriteResult } from "./batch-changes.ts";
import { withoutErased } from "#store/erasure/erased-record.ts";
import { compositeKey, UNCHANGED } from "#store/undo/port.ts";
import { learnErased, type LearntId } from "#store/erasure/learn.ts";
import {
  mergeChartEntry,
  mergeFollow,
  mergeRelationImage,
  mergeSubtitles,
  relationImage,
  type RelationKind,
  RESTORED,
  toEntryRow,
  toFollowRow,
  toSubtitleRow,
} from "./relation-rows.ts";
import { subtitleDocId } from "#store/search/doc-ids.ts";
import { markErased } from "#store/erasure/statements.ts";
import { keyedRowsOf } from "./concerns.ts";
import { runSync } from "#store/sql/sql.ts";
import type { Changes, Merge, WriteCounts } from "./port.ts";
import type { WriteTables } from "#store/records/sqlite.ts";
import { bindScalar, stepsOn } from "#store/sqlite/shared-sql.ts";

function learn({ db, rows }: WriteTables, changes: Changes): LearntId[] {
  const { platform } = changes;
  const learnt = learnErased(changes, {
    isErased: (kind, id) => rows.isErased(platform, kind, id),
    isNamed: (id) => rows.isNamed(platform, id),
    getAuthor: (id) => rows.getAuthor(platform, id),
  });
  if (learnt.length === 0) return [];
  for (const [kind, group] of Map.groupBy(learnt, (one) => one.kind)) {
    const ids = group.map(({ id }) => id);
    runSync(markErased(stepsOn(db), platform, kind, ids));
  }
  rows.forgetErased();
  return learnt;
}

/** Returns of whom the changes showed that they were erased before. */
export function applyChanges(
  tables: WriteTables,
  changes: readonly Changes[],
  merge: Merge,
  counts: WriteCounts = {},
): LearntId[] {
  const { rows } = tables;
  // From all of them first: a post of somebody erased may come after what refers to it.
  const learnt = rows.hasErased ? changes.flatMap((part) => learn(tables, part)) : [];
  for (const part of changes) {
    const isErased = (kind: RecordKind, id: string) => rows.isErased(part.platform, kind, id);
    applyPart(tables, rows.hasErased ? withoutErased(part, isErased, counts) : part, merge, counts);
  }
  return learnt;
}

function applyPart(tables: WriteTables, changes: Changes, merge: Merge, counts: WriteCounts): void {
  const { rows } = tables;
  const { platform } = changes;
  for (const { kind, postId, incoming, point } of changes.records) {
    const result =
      kind === "comment"
        ? rows.writeComment(platform, postId as string, incoming, merge)
        : rows.write(platform, kind, incoming, merge);
    countResult(counts, kind, result);
    if (point !== null) rows.writePoint(platform, kind, incoming.id, point);
  }
  for (const track of changes.subtitles) countResult(counts, "subtitles", writeSubtitles(tables, platform, track));
  for (const follow of changes.follows) countResult(counts, "follow", writeFollow(tables, platform, follow));
  for (const entry of changes.chartEntries) countResult(counts, "chart", writeChartEntry(tables, platform, entry));
  for (const { kind, id, points } of changes.history ?? []) {
    for (const point of points) rows.writePoint(platform, kind, id, point);
  }
}

function writeSubtitles(tables: WriteTables, platform: PlatformName, track: SubtitleTrack): WriteResult {
  const { postId, language, automatic } = track;
  const key = [postId, language, automatic];
  const { stored, row } = writeRelation(
    tables,
    [platform, "subtitles", key],
    toSubtitleRow(platform, track),
    mergeSubtitles,
  );
  if (row !== null && stored?.lines !== row.lines)
    tables.index.put(platform, "subtitle", subtitleDocId(postId, language, automatic), subtitleDocument(track));
  return resultOf(stored, row);
}

function writeFollow(tables: WriteTables, platform: PlatformName, follow: Follow): WriteResult {
  const key = [follow.accountId, follow.followerId];
  const { stored, row } = writeRelation(tables, [platform, "follow", key], toFollowRow(platform, follow), mergeFollow);
  return resultOf(stored, row);
}

function writeChartEntry(tables: WriteTables, platform: PlatformName, entry: ChartEntry): WriteResult {
  const key = [entry.country, entry.section, entry.day, entry.rank];
  const { stored, row } = writeRelation(tables, [platform, "chart", key], toEntryRow(entry), mergeChartEntry);
  return resultOf(stored, row);
}

function resultOf(stored: object | undefined, row: object | null): WriteResult {
  return row === null ? "unchanged" : stored === undefined ? "new" : "updated";
}

const STATEMENTS = {
  subtitles: createStatements("subtitles"),
  follow: createStatements("follow"),
  chart: createStatements("chart"),
};

function createStatements(kind: RelationKind) {
  const { table, key } = keyedRowsOf(kind);
  const keyColumns = ["platform", ...key];
  const others = RESTORED[kind];
  const columns = [...keyColumns, ...others];
  return {
    get: `SELECT ${others.join(", ")} FROM ${table} WHERE ${keyColumns.map((column) => `${column} = ?`).join(" AND ")}`,
    write: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
      ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`,
  };
}

/** Returns what was stored before, and what is written; null if the capture says nothing new. */
function writeRelation<Row extends object>(
  { db, rows }: WriteTables,
  [platform, kind, key]: [platform: PlatformName, kind: RelationKind, key: (string | number | boolean)[]],
  incoming: Row,
  merge: (stored: Row | undefined, incoming: Row) => Row | null,
): { stored: Row | undefined; row: Row | null } {
  const values = [platform, ...key.map(bindScalar)];
  const stored = db.get<Row>(STATEMENTS[kind].get, ...values);
  const row = merge(stored, incoming);
  const image = stored === undefined ? null : () => relationImage(kind, stored);
  rows.touches?.add(platform, kind, compositeKey(...key), row === null ? UNCHANGED : image, (other) =>
    mergeRelationImage(kind, other, incoming, merge),
  );
  if (row !== null) {
    const cells = new Map<string, string | number | null>(Object.entries(row));
    db.run(STATEMENTS[kind].write, ...values, ...RESTORED[kind].map((column) => cells.get(column) ?? null));
  }
  return { stored, row };
}
