/**
 * Keeps batches of records, each batch in one transaction. Whatever is derived from a record (names, lists, search
 * documents, counter history) is written with it, so that no reader ever sees one without the other.
 */
import type { Account } from "#domain/account.ts";
import type { ChartEntry } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, Held, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { SearchableKind } from "#search/documents.ts";
import { foldName } from "#search/fold.ts";
import { listsOf } from "../post-lists.ts";
import type { Batch, Writer } from "../store.ts";
import type { Database } from "./database.ts";
import { eraseRecord, isErased } from "./erasure.ts";
import { headerOf } from "./rows.ts";
import { SearchIndex } from "./search-index.ts";

type Counted = Held<object> & { counters: Counters };

interface HeldRow {
  header: string;
  native: string;
  captured_at: number;
}

export function createWriter(db: Database): Writer {
  const index = new SearchIndex(db);

  return {
    async put(platform, batch) {
      db.transaction(() => putBatch(db, index, platform, batch));
    },
    async erase(platform, kind, id) {
      db.transaction(() => eraseRecord(db, index, platform, kind, id));
      // The write-ahead log still holds the erased pages: empty it too.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
  };
}

function putBatch(db: Database, index: SearchIndex, platform: PlatformName, batch: Batch): void {
  for (const account of batch.accounts ?? []) putAccount(db, index, platform, account);
  for (const sound of batch.sounds ?? []) putRecord(db, index, platform, "sound", sound);
  for (const hashtag of batch.hashtags ?? []) putHashtag(db, index, platform, hashtag);
  for (const place of batch.places ?? []) putRecord(db, index, platform, "place", place);
  for (const post of batch.posts ?? []) putPost(db, index, platform, post);
  for (const comment of batch.comments ?? []) putComment(db, platform, comment);
  for (const track of batch.subtitles ?? []) putSubtitles(db, platform, track);
  for (const follow of batch.follows ?? []) putFollow(db, platform, follow);
  for (const { postIds, ...chart } of batch.charts ?? []) {
    postIds.forEach((postId, index) => putChartEntry(db, platform, { ...chart, rank: index + 1, postId }));
  }
  for (const entry of batch.chartEntries ?? []) putChartEntry(db, platform, entry);
  for (const { kind, id, points } of batch.history ?? []) {
    if (isErased(db, platform, kind, id)) continue;
    for (const point of points) putPoint(db, platform, kind, id, point);
  }
}

/** Writes the row, its search document and its counters. The header held before, or null if it was new; undefined if erased. */
function putRecord(
  db: Database,
  index: SearchIndex,
  platform: PlatformName,
  kind: SearchableKind,
  record: Counted,
): string | null | undefined {
  if (isErased(db, platform, kind, record.id)) return undefined;
  const held = db.get<HeldRow>(
    "SELECT header, native, captured_at FROM records WHERE platform = ? AND kind = ? AND id = ?",
    platform,
    kind,
    record.id,
  );
  const header = headerOf(record);
  const native = JSON.stringify(record.native);
  if (held === undefined) {
    db.run(
      "INSERT INTO records (platform, kind, id, header, native, captured_at, source, version) VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
      platform,
      kind,
      record.id,
      header,
      native,
      record.capturedAt,
      record.source,
    );
  } else if (held.header !== header || held.native !== native || held.captured_at !== record.capturedAt) {
    db.run(
      `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
       WHERE platform = ? AND kind = ? AND id = ?`,
      header,
      native,
      record.capturedAt,
      record.source,
      platform,
      kind,
      record.id,
    );
  }
  if (held === undefined || held.header !== header) index.put(platform, kind, record);
  putNewestCounters(db, platform, kind, record);
  return held?.header ?? null;
}

function putAccount(db: Database, index: SearchIndex, platform: PlatformName, account: Account): void {
  const before = putRecord(db, index, platform, "account", account);
  if (before !== undefined)
    putName(db, platform, "account", account, before === null ? null : (JSON.parse(before) as Account).name);
}

function putHashtag(db: Database, index: SearchIndex, platform: PlatformName, hashtag: Hashtag): void {
  const before = putRecord(db, index, platform, "hashtag", hashtag);
  if (before !== undefined)
    putName(db, platform, "hashtag", hashtag, before === null ? null : (JSON.parse(before) as Hashtag).name);
}

/** A name belongs to the record that was captured last under it. */
function putName(
  db: Database,
  platform: PlatformName,
  kind: RecordKind,
  record: { id: string; name: string | null; capturedAt: number },
  nameBefore: string | null,
): void {
  const name = record.name === null ? null : foldName(record.name);
  if (nameBefore !== null && foldName(nameBefore) !== name) {
    db.run(
      "DELETE FROM names WHERE platform = ? AND kind = ? AND name = ? AND id = ?",
      platform,
      kind,
      foldName(nameBefore),
      record.id,
    );
  }
  if (name === null || name === "") return;
  db.run(
    `INSERT INTO names (platform, kind, name, id, captured_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (platform, kind, name) DO UPDATE SET id = excluded.id, captured_at = excluded.captured_at
     WHERE excluded.captured_at >= names.captured_at`,
    platform,
    kind,
    name,
    record.id,
    record.capturedAt,
  );
}

function putPost(db: Database, index: SearchIndex, platform: PlatformName, post: Post): void {
  if (post.authorId !== null && isErased(db, platform, "account", post.authorId)) return;
  const before = putRecord(db, index, platform, "post", post);
  if (before === undefined) return;
  const lists = listsOf(post);
  if (before !== null) {
    const held = listsOf(JSON.parse(before) as Post);
    if (JSON.stringify(held) === JSON.stringify(lists)) return;
    for (const { list, key, at } of held) {
      db.run(
        "DELETE FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? AND post_id = ?",
        platform,
        list,
        key,
        at,
        post.id,
      );
    }
  }
  for (const { list, key, at } of lists) {
    db.run(
      "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id) VALUES (?, ?, ?, ?, ?)",
      platform,
      list,
      key,
      at,
      post.id,
    );
  }
}

function putComment(db: Database, platform: PlatformName, comment: Comment): void {
  if (
    isErased(db, platform, "comment", comment.id) ||
    isErased(db, platform, "post", comment.postId) ||
    (comment.authorId !== null && isErased(db, platform, "account", comment.authorId))
  ) {
    return;
  }
  db.run(
    `INSERT INTO comments (platform, post_id, id, parent_id, at, likes, header, native, captured_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, at = excluded.at, likes = excluded.likes,
       header = excluded.header, native = excluded.native, captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    comment.postId,
    comment.id,
    comment.parentId,
    comment.publishedAt ?? 0,
    // Unknown likes sort after none.
    comment.counters.likes ?? -1,
    headerOf(comment),
    JSON.stringify(comment.native),
    comment.capturedAt,
    comment.source,
  );
}

function putSubtitles(db: Database, platform: PlatformName, track: SubtitleTrack): void {
  if (isErased(db, platform, "post", track.postId)) return;
  db.run(
    `INSERT INTO subtitles (platform, post_id, language, automatic, lines, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, post_id, language, automatic) DO UPDATE SET lines = excluded.lines,
       captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    track.postId,
    track.language,
    track.automatic ? 1 : 0,
    JSON.stringify(track.lines),
    track.capturedAt,
    track.source,
  );
}

function putFollow(db: Database, platform: PlatformName, follow: Follow): void {
  if (isErased(db, platform, "account", follow.accountId) || isErased(db, platform, "account", follow.followerId))
    return;
  db.run(
    `INSERT INTO follows (platform, account_id, follower_id, at, since, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, account_id, follower_id) DO UPDATE SET since = coalesce(excluded.since, since),
       at = coalesce(excluded.since, since, at), captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    follow.accountId,
    follow.followerId,
    // Without a date of its own, a follow is as old as the capture that first showed it.
    follow.since ?? Math.floor(follow.capturedAt / 1000),
    follow.since,
    follow.capturedAt,
    follow.source,
  );
}

function putChartEntry(db: Database, platform: PlatformName, entry: ChartEntry): void {
  db.run(
    `INSERT INTO chart_entries (platform, country, section, day, rank, post_id, captured_at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, country, section, day, rank) DO UPDATE SET post_id = excluded.post_id,
       captured_at = excluded.captured_at, source = excluded.source`,
    platform,
    entry.country,
    entry.section,
    entry.day,
    entry.rank,
    entry.postId,
    entry.capturedAt,
    entry.source,
  );
}

/** A new point only where the counters differ from the newest ones known before it. */
function putNewestCounters(db: Database, platform: PlatformName, kind: RecordKind, record: Counted): void {
  if (Object.keys(record.counters).length === 0) return;
  const newest = db.get<{ counters: string }>(
    `SELECT counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? AND captured_at <= ?
     ORDER BY captured_at DESC LIMIT 1`,
    platform,
    kind,
    record.id,
    record.capturedAt,
  );
  if (newest?.counters === JSON.stringify(record.counters)) return;
  putPoint(db, platform, kind, record.id, { capturedAt: record.capturedAt, counters: record.counters });
}

function putPoint(db: Database, platform: PlatformName, kind: RecordKind, id: string, point: CounterPoint): void {
  db.run(
    "INSERT OR REPLACE INTO counter_points (platform, kind, id, captured_at, counters) VALUES (?, ?, ?, ?, ?)",
    platform,
    kind,
    id,
    point.capturedAt,
    JSON.stringify(point.counters),
  );
}
