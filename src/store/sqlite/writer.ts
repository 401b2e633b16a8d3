/** Keeps what is handed over, a transaction at a time. */
import { setImmediate } from "node:timers/promises";
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { count, replace, changesOf, type WriteResult } from "../batch-changes.ts";
import { subtitleDoc } from "../search-doc-ids.ts";
import type { Changes, Merge, WriteCounts, Writer } from "../store.ts";
import { mergePlaceholder } from "./merge-placeholder.ts";
import type { Database } from "./database.ts";
import { eraseRecord } from "./erase.ts";
import { deleteSource } from "./delete-source.ts";
import { putCheckpoint } from "./jobs.ts";
import { RecordRows } from "./record-rows.ts";
import { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

export function createWriter(db: Database, trends: TrendUpkeep, shown: RenderedRows): Writer {
  const index = new SearchIndex(db);
  const rows = new RecordRows(db, index, trends, shown);
  const tables: Tables = { db, index, rows, shown };

  function transaction<Result>(work: () => Result, trendsMayWait: () => boolean = () => false): Result {
    return db.transaction(() => {
      rows.begin();
      trends.begin();
      const result = work();
      index.finish();
      trends.finish(trendsMayWait());
      return result;
    });
  }

  return {
    async write(platform, batch) {
      transaction(() => {
        applyChanges(tables, changesOf(platform, batch), replace);
        for (const { kind, id, points } of batch.history ?? []) {
          if (rows.isErased(platform, kind, id)) continue;
          for (const point of points) rows.putPoint(platform, kind, id, point);
        }
      });
    },
    async apply(changes, merge, checkpoint) {
      let fileGoesOn = false;
      return transaction(
        () => {
          const outcome: WriteCounts = {};
          for (const part of changes) applyChanges(tables, part, merge, outcome);
          if (checkpoint !== undefined) {
            const reached = checkpoint(outcome);
            putCheckpoint(db, reached);
            fileGoesOn = reached.file.state === "running";
          }
          return outcome;
        },
        () => fileGoesOn,
      );
    },
    async preview(changes, merge) {
      const outcome: WriteCounts = {};
      db.rehearsal(() => {
        rows.begin();
        trends.rest();
        for (const part of changes) applyChanges(tables, part, merge, outcome);
      });
      return outcome;
    },
    async mergePlaceholder(platform, provisionalId, id, merge) {
      transaction(
        () => mergePlaceholder(tables, platform, provisionalId, id, merge),
        () => true,
      );
    },
    async deleteSource(source) {
      return transaction(() => deleteSource(db, index, trends, source));
    },
    async erase(platform, kind, id) {
      transaction(() => eraseRecord(db, index, trends, platform, kind, id));
      // The write-ahead log still holds the erased pages: empty it too.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    async rollOverTrends() {
      while (trends.isBehind()) {
        trends.catchUp();
        // Requests are answered between two steps.
        await setImmediate();
      }
    },
  };
}

interface Tables {
  db: Database;
  index: SearchIndex;
  rows: RecordRows;
  shown: RenderedRows;
}

function applyChanges(tables: Tables, changes: Changes, merge: Merge, outcome: WriteCounts = {}): void {
  const { db, rows } = tables;
  const { platform } = changes;
  for (const { kind, postId, incoming: found, point } of changes.records) {
    const verdict =
      kind === "comment"
        ? rows.putComment(platform, postId as string, found, merge)
        : rows.put(platform, kind, found, merge);
    count(outcome, kind, verdict);
    if (point !== null && verdict !== "erased") rows.putPoint(platform, kind, found.id, point);
  }
  for (const track of changes.subtitles) count(outcome, "subtitles", putSubtitles(tables, platform, track));
  for (const follow of changes.follows) count(outcome, "follow", putFollow(db, rows, platform, follow));
  for (const entry of changes.chartEntries) count(outcome, "chart", putChartEntry(db, rows, platform, entry));
}

function putSubtitles({ db, index, rows }: Tables, platform: PlatformName, track: SubtitleTrack): WriteResult {
  if (rows.isErased(platform, "post", track.postId)) return "erased";
  const automatic = track.automatic ? 1 : 0;
  const lines = JSON.stringify(track.lines);
  const held = db.get<{ lines: string; captured_at: number }>(
    "SELECT lines, captured_at FROM subtitles WHERE platform = ? AND post_id = ? AND language = ? AND automatic = ?",
    platform,
    track.postId,
    track.language,
    automatic,
  );
  if (held !== undefined && (held.lines === lines || held.captured_at > track.capturedAt)) return "unchanged";
  db.run(
    `INSERT INTO subtitles (platform, post_id, language, automatic, lines, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, post_id, language, automatic) DO UPDATE SET lines = excluded.lines,
       captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    track.postId,
    track.language,
    automatic,
    lines,
    track.capturedAt,
    track.source,
  );
  index.put(platform, "subtitle", subtitleDoc(track.postId, track.language, track.automatic), subtitleDocument(track));
  return held === undefined ? "new" : "updated";
}

function putFollow(db: Database, rows: RecordRows, platform: PlatformName, follow: Follow): WriteResult {
  if (rows.isErased(platform, "account", follow.accountId) || rows.isErased(platform, "account", follow.followerId)) {
    return "erased";
  }
  const held = db.get<{ since: number | null; captured_at: number }>(
    "SELECT since, captured_at FROM follows WHERE platform = ? AND account_id = ? AND follower_id = ?",
    platform,
    follow.accountId,
    follow.followerId,
  );
  if (held !== undefined && held.captured_at >= follow.capturedAt && (follow.since === null || held.since !== null)) {
    return "unchanged";
  }
  db.run(
    `INSERT INTO follows (platform, account_id, follower_id, at, since, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, account_id, follower_id) DO UPDATE SET since = coalesce(excluded.since, since),
       at = coalesce(excluded.since, since, at), captured_at = max(captured_at, excluded.captured_at), source = excluded.source`,
    platform,
    follow.accountId,
    follow.followerId,
    // Without a date of its own, a follow is as old as the capture that first showed it.
    follow.since ?? Math.floor(follow.capturedAt / 1000),
    follow.since,
    follow.capturedAt,
    follow.source,
  );
  return held === undefined ? "new" : "updated";
}

function putChartEntry(db: Database, rows: RecordRows, platform: PlatformName, entry: ChartEntry): WriteResult {
  if (rows.isErased(platform, "post", entry.postId)) return "erased";
  const key = [platform, entry.country, entry.section, entry.day, entry.rank] as const;
  const held = db.get<{ post_id: string; captured_at: number }>(
    "SELECT post_id, captured_at FROM chart_entries WHERE platform = ? AND country = ? AND section = ? AND day = ? AND rank = ?",
    ...key,
  );
  if (held !== undefined && (held.post_id === entry.postId || held.captured_at > entry.capturedAt)) return "unchanged";
  db.run(
    `INSERT INTO chart_entries (platform, country, section, day, rank, post_id, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, country, section, day, rank) DO UPDATE SET post_id = excluded.post_id,
       captured_at = excluded.captured_at, source = excluded.source`,
    ...key,
    entry.postId,
    entry.capturedAt,
    entry.source,
  );
  return held === undefined ? "new" : "updated";
}
