/**
 * Writes a record with everything derived from it: rendered JSON, name, lists, search document. Called within a
 * transaction, so that readers see all of it or nothing.
 */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import type { WriteResult } from "#store/write/batch-changes.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { erasedDigest } from "#store/erasure/keys.ts";
import { compositeKey, type JobTouches, type Touch, UNCHANGED } from "#store/undo/port.ts";
import { listsOf } from "#store/lists/port.ts";
import { addPoint } from "#store/counters/statements.ts";
import type { CounterPointRow } from "#store/counters/tables.ts";
import {
  imageOf,
  mergeImage,
  mergeRecord,
  type NonCommentKind,
  RECORD_COLUMNS,
  type RecordRow,
} from "#store/write/record-row.ts";
import { LIST_ERASURE_KEYS } from "#store/erasure/statements.ts";
import { commentDocId } from "#store/search/doc-ids.ts";
import type { Merge } from "#store/write/port.ts";
import type { Database } from "#store/sqlite/database.ts";
import type { RenderedRows } from "#store/rendered/sqlite.ts";
import type { SearchIndex } from "#store/search/sqlite.ts";

const GET_ERASED = "SELECT 1 FROM erased WHERE platform = ? AND kind = ? AND id = ?";
const GET_RECORD = `SELECT number, ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`;
const GET_COMMENT = `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`;
// One row per statement: a multi-row insert makes SQLite keep a statement journal, which costs ten times as much.
const ADD_TO_LIST =
  "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id, record) VALUES (?, ?, ?, ?, ?, ?)";
const DELETE_FROM_LIST =
  "DELETE FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? AND post_id = ?";
const ADD_RECORD = `INSERT INTO records (platform, kind, id, header, native, captured_at, source, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1)`;
const UPDATE_RECORD = `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
  WHERE platform = ? AND kind = ? AND id = ?`;
const WRITE_COMMENT = `INSERT INTO comments
    (platform, post_id, id, parent_id, author_id, at, likes, header, native, captured_at, source, digest, rendered)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id,
    at = excluded.at, likes = excluded.likes, header = excluded.header, native = excluded.native,
    captured_at = excluded.captured_at, source = excluded.source, digest = excluded.digest, rendered = excluded.rendered`;
const GET_POINT = "SELECT counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? AND captured_at = ?";
const WRITE_POINT =
  "INSERT OR REPLACE INTO counter_points (platform, kind, id, captured_at, counters) VALUES (?, ?, ?, ?, ?)";

/** What writing a record involves. */
export interface WriteTables {
  db: Database;
  index: SearchIndex;
  rows: RecordRows;
  rendered: RenderedRows;
}

export class RecordRows {
  readonly #db: Database;
  readonly #index: SearchIndex;
  readonly #rendered: RenderedRows;
  /** Most stores have erased nothing and have no key; then writes need not check each id. */
  #erasureKeys: readonly string[] | undefined;
  /** By platform, kind and id. */
  readonly #erased = new Map<string, boolean>();
  /** Whether the transaction changed any post or its counters. */
  hasChangedPosts = false;
  /** What a part of the transaction does, if a job may undo it. */
  touches: JobTouches | null = null;

  constructor(db: Database, index: SearchIndex, rendered: RenderedRows) {
    this.#db = db;
    this.#index = index;
    this.#rendered = rendered;
  }

  /** Resets the state of the previous transaction: it may have failed, or another process may have written. */
  begin(): void {
    this.touches = null;
    this.#erasureKeys = undefined;
    this.#erased.clear();
    this.hasChangedPosts = false;
    this.#index.begin();
  }

  get hasErased(): boolean {
    this.#erasureKeys ??= this.#db.all<{ id: string }>(LIST_ERASURE_KEYS).map(({ id }) => id);
    return this.#erasureKeys.length > 0;
  }

  isErased(platform: PlatformName, kind: RecordKind, id: string): boolean {
    if (!this.hasErased) return false;
    const cacheKey = `${platform}/${kind}/${id}`;
    let isErased = this.#erased.get(cacheKey);
    if (isErased === undefined) {
      isErased = (this.#erasureKeys ?? []).some(
        (key) => this.#db.get(GET_ERASED, platform, kind, erasedDigest(key, id)) !== undefined,
      );
      this.#erased.set(cacheKey, isErased);
    }
    return isErased;
  }

  /** After more ids were marked as erased. */
  forgetErased(): void {
    this.#erased.clear();
  }

  /** Whether an account is stored with a name. */
  isNamed(platform: PlatformName, id: string): boolean {
    const stored = this.#db.get<RecordRow>(GET_RECORD, platform, "account", id);
    return stored !== undefined && (JSON.parse(stored.header) as Account).name !== null;
  }

  /** Of a stored post. */
  getAuthor(platform: PlatformName, id: string): string | null {
    const stored = this.#db.get<RecordRow>(GET_RECORD, platform, "post", id);
    return stored === undefined ? null : (JSON.parse(stored.header) as Post).authorId;
  }

  write(platform: PlatformName, kind: NonCommentKind, incoming: EncodedRecord, merge: Merge): WriteResult {
    const stored = this.#db.get<RecordRow & { number: number }>(GET_RECORD, platform, kind, incoming.id);
    const touch = (image: Touch["image"]) =>
      this.touches?.add(platform, kind, incoming.id, image, (other) =>
        mergeImage(platform, kind, other, incoming, merge),
      );
    if (stored === undefined) {
      if (kind === "post") this.hasChangedPosts = true;
      touch(null);
      this.#insert(platform, kind, incoming);
      return "new";
    }
    const merged = mergeRecord(platform, kind, stored, incoming, merge);
    touch(merged === null ? UNCHANGED : () => imageOf(stored));
    if (merged === null) return "unchanged";
    const { before, encoded: record } = merged;
    if (kind === "post") this.hasChangedPosts = true;
    const { id, header, native, capturedAt, source, document } = record;
    this.#db.run(UPDATE_RECORD, header, native, capturedAt, source, platform, kind, id);
    this.#rendered.write(platform, kind, stored.number, record);
    if (stored.header !== header) this.#index.put(platform, kind, id, document);
    if (kind === "account") this.#writeName(platform, record, (before as Account).name);
    if (kind === "post") this.#moveLists(platform, stored.number, record, before as Post);
    return "updated";
  }

  #insert(platform: PlatformName, kind: NonCommentKind, record: EncodedRecord): void {
    const { id, header, native, capturedAt, source } = record;
    const { lastInsertRowid: number } = this.#db.run(
      ADD_RECORD,
      platform,
      kind,
      id,
      header,
      native,
      capturedAt,
      source,
    );
    this.#rendered.write(platform, kind, number, record);
    this.#index.add(platform, kind, id, record.document);
    if (kind === "account") this.#writeName(platform, record, null);
    if (kind === "post") this.addToLists(platform, number, record);
  }

  #writeName(platform: PlatformName, record: EncodedRecord, nameBefore: string | null): void {
    const { id, name, namedAt, capturedAt } = record;
    const before = nameBefore === null ? "" : foldName(nameBefore);
    if (before !== "" && before !== name)
      this.#db.run("DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?", platform, before, id);
    if (name === null || name === "") return;
    this.#db.run(
      `INSERT INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (platform, name, id) DO UPDATE SET captured_at = excluded.captured_at`,
      platform,
      name,
      id,
      namedAt ?? capturedAt,
    );
  }

  #moveLists(platform: PlatformName, number: number, post: EncodedRecord, before: Post): void {
    const listsBefore = listsOf(before).map(({ list, key }) => [list, key]);
    if ((before.publishedAt ?? 0) === post.at && JSON.stringify(listsBefore) === JSON.stringify(post.lists)) return;
    this.deleteFromLists(platform, post.id, before);
    this.addToLists(platform, number, post);
  }

  deleteFromLists(platform: PlatformName, postId: string, post: Post): void {
    for (const { list, key, at } of listsOf(post)) this.#db.run(DELETE_FROM_LIST, platform, list, key, at, postId);
  }

  addToLists(platform: PlatformName, number: number, { id, at, lists }: EncodedRecord): void {
    for (const [list, key] of lists) this.#db.run(ADD_TO_LIST, platform, list, key, at, id, number);
  }

  writeComment(platform: PlatformName, postId: string, incoming: EncodedRecord, merge: Merge): WriteResult {
    const stored = this.#db.get<RecordRow>(GET_COMMENT, platform, postId, incoming.id);
    const comment =
      stored === undefined ? incoming : mergeRecord(platform, "comment", stored, incoming, merge)?.encoded;
    const image = stored === undefined ? null : () => imageOf(stored);
    this.touches?.add(
      platform,
      "comment",
      compositeKey(postId, incoming.id),
      comment === undefined ? UNCHANGED : image,
      (other) => mergeImage(platform, "comment", other, incoming, merge),
    );
    if (comment === undefined) return "unchanged";
    this.upsertComment(platform, postId, comment);
    const docId = commentDocId(postId, comment.id);
    if (stored === undefined) this.#index.add(platform, "comment", docId, comment.document);
    else if (stored.header !== comment.header) this.#index.put(platform, "comment", docId, comment.document);
    return stored === undefined ? "new" : "updated";
  }

  upsertComment(platform: PlatformName, postId: string, comment: EncodedRecord): void {
    const rendered = this.#rendered.renderComment(platform, comment);
    this.#db.run(
      WRITE_COMMENT,
      platform,
      postId,
      comment.id,
      comment.parentId,
      comment.authorId,
      comment.at,
      comment.likes,
      comment.header,
      comment.native,
      comment.capturedAt,
      comment.source,
      rendered?.digest ?? null,
      rendered?.json ?? null,
    );
  }

  /** Adds a point to the history. */
  writePoint(platform: PlatformName, kind: RecordKind, id: string, point: CounterPoint): void {
    if (Object.keys(point.counters).length === 0) return;
    const { capturedAt } = point;
    const stored = this.#db.get<Pick<CounterPointRow, "counters">>(GET_POINT, platform, kind, id, capturedAt);
    const { image, counters } = addPoint(platform, stored?.counters, point);
    this.touches?.addPoint(platform, kind, id, capturedAt, image);
    if (counters === null) return;
    if (kind === "post") this.hasChangedPosts = true;
    this.#db.run(WRITE_POINT, platform, kind, id, capturedAt, counters);
  }
}
