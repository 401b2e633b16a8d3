/** Subtitles, follows and chart entries of one batch: rows that newer captures take the place of. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDoc } from "../search-doc-ids.ts";
import type { WriteResult } from "../batch-changes.ts";
import { chartName } from "./chart-name.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import { type Column, type Table, upsert } from "./upsert.ts";

interface Captured {
  platform: PlatformName;
  captured_at: number;
  source: string;
}

const CAPTURED: readonly Column<Captured>[] = [
  { name: "platform", type: "text", of: (row) => row.platform },
  { name: "captured_at", type: "bigint", of: (row) => row.captured_at },
  { name: "source", type: "text", of: (row) => row.source },
];

interface SubtitleRow extends Captured {
  post_id: string;
  language: string;
  automatic: boolean;
  /** JSON */
  lines: string;
}

const SUBTITLES: Table<SubtitleRow> = {
  name: "subtitles",
  key: ["post_id", "platform", "language", "automatic"],
  columns: [
    { name: "post_id", type: "text", of: (row) => row.post_id },
    { name: "language", type: "text", of: (row) => row.language },
    { name: "automatic", type: "boolean", of: (row) => row.automatic },
    { name: "lines", type: "json", of: (row) => row.lines },
    ...CAPTURED,
  ],
};

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
    for (const row of rows) this.#rows.load(keyOfTrack(row), row);
  }

  put(platform: PlatformName, track: SubtitleTrack): WriteResult {
    const { postId: post_id, language, automatic, capturedAt: captured_at, source } = track;
    const row = { platform, post_id, language, automatic, lines: JSON.stringify(track.lines), captured_at, source };
    const key = keyOfTrack(row);
    const held = this.#rows.get(key);
    if (held !== undefined && (held.lines === row.lines || held.captured_at > captured_at)) return "unchanged";
    this.#rows.put(key, row);
    this.#index.put(platform, "subtitle", subtitleDoc(post_id, language, automatic), subtitleDocument(track), "held");
    return held === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, SUBTITLES, this.#rows.takeChanged());
  }
}

function keyOfTrack({ platform, post_id, language, automatic }: SubtitleRow): string[] {
  return [platform, post_id, language, String(automatic)];
}

interface FollowRow extends Captured {
  account_id: string;
  follower_id: string;
  at: number;
  since: number | null;
}

const FOLLOWS: Table<FollowRow> = {
  name: "follows",
  key: ["account_id", "platform", "follower_id"],
  columns: [
    { name: "account_id", type: "text", of: (row) => row.account_id },
    { name: "follower_id", type: "text", of: (row) => row.follower_id },
    { name: "at", type: "bigint", of: (row) => row.at },
    { name: "since", type: "bigint", of: (row) => row.since },
    ...CAPTURED,
  ],
};

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
    const held = this.#rows.get(key);
    if (held !== undefined && held.captured_at >= capturedAt && (since === null || held.since !== null)) {
      return "unchanged";
    }
    const known = since ?? held?.since ?? null;
    this.#rows.put(key, {
      platform,
      account_id: accountId,
      follower_id: followerId,
      // Without a date of its own, a follow is as old as the capture that first showed it.
      at: known ?? held?.at ?? Math.floor(capturedAt / 1000),
      since: known,
      captured_at: Math.max(held?.captured_at ?? capturedAt, capturedAt),
      source,
    });
    return held === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, FOLLOWS, this.#rows.takeChanged());
  }
}

interface ChartRow extends Captured {
  chart: string;
  day: string;
  rank: number;
  post_id: string;
}

const CHART_ENTRIES: Table<ChartRow> = {
  name: "chart_entries",
  key: ["chart", "day", "rank"],
  columns: [
    { name: "chart", type: "text", of: (row) => row.chart },
    { name: "day", type: "text", of: (row) => row.day },
    { name: "rank", type: "bigint", of: (row) => row.rank },
    { name: "post_id", type: "text", of: (row) => row.post_id },
    ...CAPTURED,
  ],
};

export class ChartTable {
  readonly #rows = new RowCache<ChartRow>();

  async load(sql: Sql, platform: PlatformName, entries: readonly ChartEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = await sql.all<ChartRow>(
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
    const held = this.#rows.get(key);
    if (held !== undefined && (held.post_id === post_id || held.captured_at > captured_at)) return "unchanged";
    this.#rows.put(key, { platform, chart, day, rank, post_id, captured_at, source });
    return held === undefined ? "new" : "updated";
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, CHART_ENTRIES, this.#rows.takeChanged());
  }
}
