/** Subtitles, follows and chart entries of one batch: newer captures replace older ones. */
import type { ChartEntry } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDocId } from "../search-doc-ids.ts";
import type { WriteCounts } from "../writer.ts";
import { chartName } from "./chart-name.ts";
import type { NewDocument, SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { CHART_ENTRIES, type ChartEntryRow, type FollowRow, FOLLOWS, type SubtitleRow, SUBTITLES } from "./tables.ts";
import { type BatchOrder, VersionedRows } from "./versioned-rows.ts";

interface Incoming<Item> {
  platform: PlatformName;
  item: Item;
}

interface SubtitleValue {
  row: SubtitleRow;
  /** Null for a track as it is stored. */
  track: SubtitleTrack | null;
}

export class SubtitleTable {
  readonly #tracks: VersionedRows<SubtitleRow, SubtitleValue, Incoming<SubtitleTrack>>;

  constructor(order: BatchOrder) {
    this.#tracks = new VersionedRows(
      {
        table: SUBTITLES,
        keyOf: trackKey,
        fromRow: (row) => ({ row, track: null }),
        merge: mergeTrack,
        read: readTracks,
      },
      order,
    );
  }

  async load(sql: Sql, tracks: readonly Pick<SubtitleRow, "platform" | "post_id">[]): Promise<void> {
    for (const row of await readTracks(sql, tracks)) this.#tracks.load(row, "subtitles");
  }

  put(platform: PlatformName, track: SubtitleTrack): void {
    const { postId: post_id, language, automatic } = track;
    this.#tracks.put(trackKey({ platform, post_id, language, automatic }), "subtitles", { platform, item: track });
  }

  async write(sql: Sql): Promise<void> {
    await this.#tracks.write(sql);
  }

  /** After `write`. */
  index(index: SearchIndexWriter): void {
    for (const { value } of this.#tracks.changed()) {
      const { row, track } = value as SubtitleValue;
      if (track === null) continue;
      const docId = subtitleDocId(row.post_id, row.language, row.automatic);
      index.put(row.platform, "subtitle", docId, subtitleDocument(track), "stored");
    }
  }

  /** The documents that are not in the index yet. */
  newDocuments(): NewDocument[] {
    return this.#tracks.added().map(({ order, value }) => {
      const { platform, post_id, language, automatic } = (value as SubtitleValue).row;
      return { order, platform, kind: "subtitle", id: subtitleDocId(post_id, language, automatic) };
    });
  }

  countInto(counts: WriteCounts): void {
    this.#tracks.countInto(counts);
  }
}

async function readTracks(
  sql: Sql,
  tracks: readonly Pick<SubtitleRow, "platform" | "post_id">[],
): Promise<SubtitleRow[]> {
  const reads = [...Map.groupBy(tracks, ({ platform }) => platform)].map(([platform, group]) =>
    sql.all<SubtitleRow>(
      "SELECT * FROM subtitles WHERE post_id = ANY($1) AND platform = $2",
      [...new Set(group.map(({ post_id }) => post_id))],
      platform,
    ),
  );
  return (await Promise.all(reads)).flat();
}

function mergeTrack(
  current: SubtitleValue | undefined,
  { platform, item: track }: Incoming<SubtitleTrack>,
): SubtitleValue | null {
  const { postId: post_id, language, automatic, capturedAt: captured_at, source } = track;
  const lines = JSON.stringify(track.lines);
  if (current !== undefined && (current.row.lines === lines || current.row.captured_at > captured_at)) return null;
  return { row: { platform, post_id, language, automatic, lines, captured_at, source, version: 0 }, track };
}

function trackKey(row: Pick<SubtitleRow, "platform" | "post_id" | "language" | "automatic">): string[] {
  return [row.platform, row.post_id, row.language, String(row.automatic)];
}

export class FollowTable {
  readonly #follows: VersionedRows<FollowRow, { row: FollowRow }, Incoming<Follow>>;

  constructor(order: BatchOrder) {
    this.#follows = new VersionedRows(
      {
        table: FOLLOWS,
        keyOf: followKey,
        fromRow: (row) => ({ row }),
        merge: mergeFollow,
        read: readFollows,
      },
      order,
    );
  }

  async load(sql: Sql, follows: readonly FollowKey[]): Promise<void> {
    for (const row of await readFollows(sql, follows)) this.#follows.load(row, "follow");
  }

  put(platform: PlatformName, follow: Follow): void {
    this.#follows.put([platform, follow.accountId, follow.followerId], "follow", { platform, item: follow });
  }

  async write(sql: Sql): Promise<void> {
    await this.#follows.write(sql);
  }

  countInto(counts: WriteCounts): void {
    this.#follows.countInto(counts);
  }
}

type FollowKey = Pick<FollowRow, "platform" | "account_id" | "follower_id">;

function followKey({ platform, account_id, follower_id }: FollowKey): string[] {
  return [platform, account_id, follower_id];
}

async function readFollows(sql: Sql, follows: readonly FollowKey[]): Promise<FollowRow[]> {
  const reads = [...Map.groupBy(follows, ({ platform }) => platform)].map(([platform, group]) =>
    sql.all<FollowRow>(
      "SELECT * FROM follows WHERE account_id = ANY($1) AND platform = $2 AND follower_id = ANY($3)",
      [...new Set(group.map(({ account_id }) => account_id))],
      platform,
      [...new Set(group.map(({ follower_id }) => follower_id))],
    ),
  );
  return (await Promise.all(reads)).flat();
}

function mergeFollow(
  current: { row: FollowRow } | undefined,
  { platform, item: { accountId, followerId, since, capturedAt, source } }: Incoming<Follow>,
): { row: FollowRow } | null {
  const stored = current?.row;
  if (stored !== undefined && stored.captured_at >= capturedAt && (since === null || stored.since !== null))
    return null;
  const knownSince = since ?? stored?.since ?? null;
  return {
    row: {
      platform,
      account_id: accountId,
      follower_id: followerId,
      // Without a date of its own, a follow is dated by the first capture that showed it.
      at: knownSince ?? stored?.at ?? Math.floor(capturedAt / 1000),
      since: knownSince,
      captured_at: Math.max(stored?.captured_at ?? capturedAt, capturedAt),
      source,
      version: 0,
    },
  };
}

export class ChartTable {
  readonly #entries: VersionedRows<ChartEntryRow, { row: ChartEntryRow }, Incoming<ChartEntry>>;

  constructor(order: BatchOrder) {
    this.#entries = new VersionedRows(
      {
        table: CHART_ENTRIES,
        keyOf: entryKey,
        fromRow: (row) => ({ row }),
        merge: mergeEntry,
        read: readEntries,
      },
      order,
    );
  }

  async load(sql: Sql, entries: readonly Pick<ChartEntryRow, "chart" | "day">[]): Promise<void> {
    for (const row of await readEntries(sql, entries)) this.#entries.load(row, "chart");
  }

  put(platform: PlatformName, entry: ChartEntry): void {
    const chart = chartName(platform, entry.country, entry.section);
    this.#entries.put([chart, entry.day, String(entry.rank)], "chart", { platform, item: entry });
  }

  async write(sql: Sql): Promise<void> {
    await this.#entries.write(sql);
  }

  countInto(counts: WriteCounts): void {
    this.#entries.countInto(counts);
  }
}

function entryKey({ chart, day, rank }: ChartEntryRow): string[] {
  return [chart, day, String(rank)];
}

async function readEntries(
  sql: Sql,
  entries: readonly Pick<ChartEntryRow, "chart" | "day">[],
): Promise<ChartEntryRow[]> {
  if (entries.length === 0) return [];
  return sql.all<ChartEntryRow>(
    "SELECT * FROM chart_entries WHERE chart = ANY($1) AND day = ANY($2)",
    [...new Set(entries.map(({ chart }) => chart))],
    [...new Set(entries.map(({ day }) => day))],
  );
}

function mergeEntry(
  current: { row: ChartEntryRow } | undefined,
  { platform, item: entry }: Incoming<ChartEntry>,
): { row: ChartEntryRow } | null {
  const { day, rank, postId: post_id, capturedAt: captured_at, source } = entry;
  const stored = current?.row;
  if (stored !== undefined && (stored.post_id === post_id || stored.captured_at > captured_at)) return null;
  const chart = chartName(platform, entry.country, entry.section);
  return { row: { platform, chart, day, rank, post_id, captured_at, source, version: 0 } };
}
