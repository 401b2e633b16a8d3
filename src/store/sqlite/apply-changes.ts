/** Merges the changes of a batch into the stored rows, one by one, within a transaction. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { countResult, type WriteResult } from "../batch-changes.ts";
import { withoutErased } from "../erased-record.ts";
import { compositeKey, UNCHANGED } from "../job-touches.ts";
import { learnErased, type LearntId } from "../learn-erased.ts";
import {
  mergeChartEntry,
  mergeFollow,
  mergeRelationImage,
  mergeSubtitles,
  relationImage,
  type RelationKind,
  toEntryRow,
  toFollowRow,
  toSubtitleRow,
} from "../relation-rows.ts";
import { subtitleDocId } from "../search-doc-ids.ts";
import { markErased } from "../sql/erased-ids.ts";
import { runSync } from "../sql/sql.ts";
import type { Changes, Merge, WriteCounts } from "../writer.ts";
import type { Database } from "./database.ts";
import type { RecordRows, WriteTables } from "./record-rows.ts";
import { stepsOn } from "./shared-sql.ts";

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
  const { db, rows } = tables;
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
  for (const follow of changes.follows) countResult(counts, "follow", writeFollow(db, rows, platform, follow));
  for (const entry of changes.chartEntries) countResult(counts, "chart", writeChartEntry(db, rows, platform, entry));
  for (const { kind, id, points } of changes.history ?? []) {
    for (const point of points) rows.writePoint(platform, kind, id, point);
  }
}

function writeSubtitles({ db, index, rows }: WriteTables, platform: PlatformName, track: SubtitleTrack): WriteResult {
  const { postId, language } = track;
  const key = [platform, postId, language, track.automatic ? 1 : 0] as const;
  const stored = db.get<{ lines: string; captured_at: number; source: string }>(
    "SELECT lines, captured_at, source FROM subtitles WHERE platform = ? AND post_id = ? AND language = ? AND automatic = ?",
    ...key,
  );
  const incoming = toSubtitleRow(platform, track);
  const row = mergeSubtitles(stored, incoming);
  const at: Touched = [platform, "subtitles", compositeKey(postId, language, track.automatic)];
  touch(rows, at, stored, row, incoming, mergeSubtitles);
  if (row === null) return "unchanged";
  db.run(
    `INSERT INTO subtitles (platform, post_id, language, automatic, lines, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, post_id, language, automatic) DO UPDATE SET lines = excluded.lines,
       captured_at = excluded.captured_at, source = excluded.source`,
    ...key,
    row.lines,
    row.captured_at,
    row.source,
  );
  if (stored?.lines !== row.lines)
    index.put(platform, "subtitle", subtitleDocId(postId, language, track.automatic), subtitleDocument(track));
  return stored === undefined ? "new" : "updated";
}

function writeFollow(db: Database, rows: RecordRows, platform: PlatformName, follow: Follow): WriteResult {
  const key = [platform, follow.accountId, follow.followerId] as const;
  const stored = db.get<{ at: number; since: number | null; captured_at: number; source: string }>(
    "SELECT at, since, captured_at, source FROM follows WHERE platform = ? AND account_id = ? AND follower_id = ?",
    ...key,
  );
  const incoming = toFollowRow(platform, follow);
  const row = mergeFollow(stored, incoming);
  const at: Touched = [platform, "follow", compositeKey(follow.accountId, follow.followerId)];
  touch(rows, at, stored, row, incoming, mergeFollow);
  if (row === null) return "unchanged";
  db.run(
    `INSERT OR REPLACE INTO follows (platform, account_id, follower_id, at, since, captured_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...key,
    row.at,
    row.since,
    row.captured_at,
    row.source,
  );
  return stored === undefined ? "new" : "updated";
}

function writeChartEntry(db: Database, rows: RecordRows, platform: PlatformName, entry: ChartEntry): WriteResult {
  const key = [platform, entry.country, entry.section, entry.day, entry.rank] as const;
  const stored = db.get<{ post_id: string; captured_at: number; source: string }>(
    "SELECT post_id, captured_at, source FROM chart_entries WHERE platform = ? AND country = ? AND section = ? AND day = ? AND rank = ?",
    ...key,
  );
  const incoming = toEntryRow(entry);
  const row = mergeChartEntry(stored, incoming);
  const at: Touched = [platform, "chart", compositeKey(entry.country, entry.section, entry.day, entry.rank)];
  touch(rows, at, stored, row, incoming, mergeChartEntry);
  if (row === null) return "unchanged";
  db.run(
    `INSERT OR REPLACE INTO chart_entries (platform, country, section, day, rank, post_id, captured_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...key,
    row.post_id,
    row.captured_at,
    row.source,
  );
  return stored === undefined ? "new" : "updated";
}

type Touched = [platform: PlatformName, kind: RelationKind, key: string];

function touch<Row extends object>(
  rows: RecordRows,
  [platform, kind, key]: Touched,
  stored: object | undefined,
  written: Row | null,
  incoming: Row,
  merge: (stored: Row | undefined, incoming: Row) => Row | null,
): void {
  const image = stored === undefined ? null : () => relationImage(kind, stored);
  rows.touches?.add(platform, kind, key, written === null ? UNCHANGED : image, (other) =>
    mergeRelationImage(kind, other, incoming, merge),
  );
}
