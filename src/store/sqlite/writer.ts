/** Writes records, one transaction per call. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { dayOf } from "#domain/time.ts";
import { subtitleDocument } from "#search/documents.ts";
import { countResult, replace, toChanges, type WriteResult } from "../batch-changes.ts";
import {
  mergeChartEntry,
  mergeFollow,
  mergeSubtitles,
  toEntryRow,
  toFollowRow,
  toSubtitleRow,
} from "../relation-rows.ts";
import { subtitleDocId } from "../search-doc-ids.ts";
import { learnErased } from "../learn-erased.ts";
import { type IsErased, scrubTrack } from "../scrub.ts";
import { eraseRecord } from "../sql/erase.ts";
import { markErased } from "../sql/erased-ids.ts";
import { writeCheckpoint } from "../sql/jobs.ts";
import { mergePlaceholder } from "../sql/merge-placeholder.ts";
import { deleteSource } from "../sql/record-removal.ts";
import { countExpired, deleteExpired } from "../sql/retention.ts";
import { refreshTrends } from "../sql/refresh-trends.ts";
import { runSync } from "../sql/sql.ts";
import type { Changes, Merge, WriteCounts, Writer } from "../writer.ts";
import { type Database, WRITE_LOCK_TIMEOUT_MS } from "./database.ts";
import { RecordRows, type WriteTables } from "./record-rows.ts";
import { recordSteps } from "./record-steps.ts";
import type { ChartEntriesRow, FollowsRow, SubtitlesRow } from "./rows.ts";
import { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import { DIALECT, stepsOn } from "./shared-sql.ts";
import { createTrendTables, markTrendsStale } from "./trend-tables.ts";

/** The clock decides the day of the trends. */
export function createWriter(db: Database, rendered: RenderedRows, clock: () => number): Writer {
  const index = new SearchIndex(db);
  const rows = new RecordRows(db, index, rendered);
  const tables: WriteTables = { db, index, rows, rendered };
  const unit = recordSteps(tables);
  let refreshing = Promise.resolve();

  function transaction<Result>(work: () => Result): Result {
    return db.transaction(() => {
      rows.begin();
      const result = work();
      index.finish();
      if (rows.hasChangedPosts) markTrendsStale(db);
      return result;
    });
  }

  return {
    async write(platform, batch) {
      transaction(() => {
        applyChanges(tables, toChanges(platform, batch), replace);
        for (const { kind, id, points } of batch.history ?? []) {
          if (rows.isErased(platform, kind, id)) continue;
          for (const point of points) rows.writePoint(platform, kind, id, point);
        }
      });
    },
    async apply(changes, merge, checkpoint) {
      return transaction(() => {
        const counts: WriteCounts = {};
        for (const part of changes) applyChanges(tables, part, merge, counts);
        if (checkpoint !== undefined) runSync(writeCheckpoint(unit.sql, DIALECT, checkpoint(counts)));
        return counts;
      });
    },
    async preview(changes, merge) {
      const counts: WriteCounts = {};
      db.dryRun(() => {
        rows.begin();
        for (const part of changes) applyChanges(tables, part, merge, counts);
      });
      return counts;
    },
    async mergePlaceholder(platform, provisionalId, id, merge) {
      transaction(() => runSync(mergePlaceholder(unit, { platform, from: provisionalId, to: id }, merge)));
    },
    async deleteSource(source) {
      return transaction(() => runSync(deleteSource(unit, source)));
    },
    async deleteExpired(expiry, limit) {
      return transaction(() => runSync(deleteExpired(unit, expiry, limit)));
    },
    async countExpired(expiry) {
      return runSync(countExpired(unit, expiry));
    },
    async erase(platform, kind, id) {
      const result = transaction(() => runSync(eraseRecord(unit, platform, kind, id)));
      return { ...result, isPurged: truncateLog(db) };
    },
    async previewErasure(platform, kind, id) {
      return db.dryRun(() => {
        rows.begin();
        return runSync(eraseRecord(unit, platform, kind, id)).counts;
      });
    },
    refreshTrends() {
      // One at a time on this connection: they share a temporary table.
      const refreshed = refreshing.then(() => refreshTrends(createTrendTables(db), dayOf(clock())));
      refreshing = refreshed.catch(() => undefined);
      return refreshed;
    },
  };
}

/** The write-ahead log still has the erased pages. False if a reader of an older state needs it: do not wait for long. */
function truncateLog(db: Database): boolean {
  db.exec("PRAGMA busy_timeout = 500");
  const row = db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
  db.exec(`PRAGMA busy_timeout = ${WRITE_LOCK_TIMEOUT_MS}`);
  return row?.busy === 0;
}

function learn({ db, rows }: WriteTables, changes: Changes): void {
  const { platform } = changes;
  const learnt = learnErased(changes, {
    isErased: (kind, id) => rows.isErased(platform, kind, id),
    isStored: (id) => rows.hasRecord(platform, "account", id),
  });
  if (learnt.length === 0) return;
  for (const [kind, group] of Map.groupBy(learnt, (one) => one.kind)) {
    const ids = group.map(({ id }) => id);
    runSync(markErased(stepsOn(db), platform, kind, ids));
  }
  rows.forgetErased();
}

function applyChanges(tables: WriteTables, changes: Changes, merge: Merge, counts: WriteCounts = {}): void {
  const { db, rows } = tables;
  const { platform } = changes;
  if (rows.hasErased) learn(tables, changes);
  for (const { kind, postId, incoming: captured, point } of changes.records) {
    const incoming = rows.scrub(platform, kind, captured);
    const result =
      kind === "comment"
        ? rows.writeComment(platform, postId as string, incoming, merge)
        : rows.write(platform, kind, incoming, merge);
    countResult(counts, kind, result);
    if (point !== null && result !== "erased") rows.writePoint(platform, kind, incoming.id, point);
  }
  const isErased: IsErased = (kind, key) => rows.isErased(platform, kind, key);
  for (const track of changes.subtitles) {
    const scrubbed = rows.hasErased ? scrubTrack(track, isErased) : track;
    countResult(counts, "subtitles", writeSubtitles(tables, platform, scrubbed));
  }
  for (const follow of changes.follows) countResult(counts, "follow", writeFollow(db, rows, platform, follow));
  for (const entry of changes.chartEntries) countResult(counts, "chart", writeChartEntry(db, rows, platform, entry));
}

function writeSubtitles({ db, index, rows }: WriteTables, platform: PlatformName, track: SubtitleTrack): WriteResult {
  const { postId, language } = track;
  if (rows.isErased(platform, "post", postId)) return "erased";
  const key = [platform, postId, language, track.automatic ? 1 : 0] as const;
  const stored = db.get<Pick<SubtitlesRow, "lines" | "captured_at">>(
    "SELECT lines, captured_at FROM subtitles WHERE platform = ? AND post_id = ? AND language = ? AND automatic = ?",
    ...key,
  );
  const row = mergeSubtitles(stored, toSubtitleRow(platform, track));
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
  index.put(platform, "subtitle", subtitleDocId(postId, language, track.automatic), subtitleDocument(track));
  return stored === undefined ? "new" : "updated";
}

function writeFollow(db: Database, rows: RecordRows, platform: PlatformName, follow: Follow): WriteResult {
  const key = [platform, follow.accountId, follow.followerId] as const;
  if (key.slice(1).some((id) => rows.isErased(platform, "account", id))) return "erased";
  const stored = db.get<Pick<FollowsRow, "at" | "since" | "captured_at">>(
    "SELECT at, since, captured_at FROM follows WHERE platform = ? AND account_id = ? AND follower_id = ?",
    ...key,
  );
  const row = mergeFollow(stored, toFollowRow(platform, follow));
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
  if (rows.isErased(platform, "post", entry.postId)) return "erased";
  const key = [platform, entry.country, entry.section, entry.day, entry.rank] as const;
  const stored = db.get<Pick<ChartEntriesRow, "post_id" | "captured_at">>(
    "SELECT post_id, captured_at FROM chart_entries WHERE platform = ? AND country = ? AND section = ? AND day = ? AND rank = ?",
    ...key,
  );
  const row = mergeChartEntry(stored, toEntryRow(entry));
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
