/** Subtitles, follows and chart entries of one batch: newer captures replace older ones. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDocId } from "../search-doc-ids.ts";
import type { WriteResult } from "../batch-changes.ts";
import { chartName } from "./chart-name.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import { CHART_ENTRIES, type ChartEntryRow, type FollowRow, FOLLOWS, type SubtitleRow, SUBTITLES } from "./tables.ts";
import { upsert } from "./upsert.ts";

export class SubtitleTable {
  readonly #rows = new RowCache<SubtitleRow>();
  readonly #index: SearchIndexWriter;

  constructor(index: SearchIndexWriter) {
    this.#index = index;
  }

  async load(sql: Sql, platform: PlatformName, tracks: readonly SubtitleTrack[]): Promise<void> {
    if (tracks.length === 0) return;
    const rows = await sql.all<SubtitleRow>(
      "SELECT * FROM subtitles WHERE post_id = ANY($1) AND platform = $2",
      [...new Set(tracks.map(({ postId }) => postId))],
      platform,
    );
    for (const row of rows) this.#rows.load(trackKey(row), row);
  }

  put(platform: PlatformName, track: SubtitleTrack): WriteResult {
    const { postId: post_id, language, automatic, capturedAt: captured_at, source } = track;
    const row = { platform, post_id, language, automatic, lines: JSON.stringify(track.lines), captured_at, source };
    const key = trackKey(row);
    const stored = this.#rows.get(key);
    if (stored !== undefined && (stored.lines === row.lines || stored.captured_at > captured_at)) return "unchanged";
    this.#rows.put(key, row);
    this.#index.put(
      platform,
      "subtitle",
      subtitleDocId(post_id, language, automatic),
      subtitleDocument(track),
      "stored",
    );
    return stored === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, SUBTITLES, this.#rows.takeChanged());
  }
}

function trackKey({ platform, post_id, language, automatic }: SubtitleRow): string[] {
  return [platform, post_id, language, String(automatic)];
}

export class FollowTable {
  readonly #rows = new RowCache<FollowRow>();

  async load(sql: Sql, platform: PlatformName, follows: readonly Follow[]): Promise<void> {
    if (follows.length === 0) return;
    const rows = await sql.all<FollowRow>(
      "SELECT * FROM follows WHERE account_id = ANY($1) AND platform = $2 AND follower_id = ANY($3)",
      [...new Set(follows.map(({ accountId }) => accountId))],
      platform,
      [...new Set(follows.map(({ followerId }) => followerId))],
    );
    for (const row of rows) this.#rows.load([platform, row.account_id, row.follower_id], row);
  }

  put(platform: PlatformName, { accountId, followerId, since, capturedAt, source }: Follow): WriteResult {
    const key = [platform, accountId, followerId];
    const stored = this.#rows.get(key);
    if (stored !== undefined && stored.captured_at >= capturedAt && (since === null || stored.since !== null)) {
      return "unchanged";
    }
    const knownSince = since ?? stored?.since ?? null;
    this.#rows.put(key, {
      platform,
      account_id: accountId,
      follower_id: followerId,
      // Without a date of its own, a follow is dated by the first capture that showed it.
      at: knownSince ?? stored?.at ?? Math.floor(capturedAt / 1000),
      since: knownSince,
      captured_at: Math.max(stored?.captured_at ?? capturedAt, capturedAt),
      source,
    });
    return stored === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, FOLLOWS, this.#rows.takeChanged());
  }
}

export class ChartTable {
  readonly #rows = new RowCache<ChartEntryRow>();

  async load(sql: Sql, platform: PlatformName, entries: readonly ChartEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = await sql.all<ChartEntryRow>(
      "SELECT * FROM chart_entries WHERE chart = ANY($1) AND day = ANY($2)",
      [...new Set(entries.map(({ country, section }) => chartName(platform, country, section)))],
      [...new Set(entries.map(({ day }) => day))],
    );
    for (const row of rows) this.#rows.load([row.chart, row.day, String(row.rank)], row);
  }

  put(platform: PlatformName, entry: ChartEntry): WriteResult {
    const { day, rank, postId: post_id, capturedAt: captured_at, source } = entry;
    const chart = chartName(platform, entry.country, entry.section);
    const key = [chart, day, String(rank)];
    const stored = this.#rows.get(key);
    if (stored !== undefined && (stored.post_id === post_id || stored.captured_at > captured_at)) return "unchanged";
    this.#rows.put(key, { platform, chart, day, rank, post_id, captured_at, source });
    return stored === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, CHART_ENTRIES, this.#rows.takeChanged());
  }
}
