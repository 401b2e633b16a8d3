/**
 * Writes one record with everything that is derived from it: name, lists, search document. Called within a
 * transaction, so that no reader ever sees one without the other.
 */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import type { WriteResult } from "../batch-changes.ts";
import { listsOf } from "../post-lists.ts";
import { encodeRecord, decodeRecord } from "../row-encoder.ts";
import { commentDoc } from "../search-doc-ids.ts";
import type { AnyRecord, Merge, EncodedRecord } from "../store.ts";
import type { Database } from "./database.ts";
import { erasedKey } from "../erased-key.ts";
import { removeFromLists } from "./record-removal.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

// Spelt out once: a statement is found again by its text.
const GET_RECORD = `SELECT number, ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`;
const GET_COMMENT = `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`;
// A row a statement: one for many rows makes SQLite keep a journal of the statement, which costs ten times as much.
const ADD_TO_LIST =
  "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id, record) VALUES (?, ?, ?, ?, ?, ?)";

const ADD_RECORD = `INSERT INTO records (platform, kind, id, header, native, captured_at, source, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, 1)`;
const UPDATE_RECORD = `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
  WHERE platform = ? AND kind = ? AND id = ?`;
const PUT_COMMENT = `INSERT INTO comments
    (platform, post_id, id, parent_id, author_id, at, likes, header, native, captured_at, source, digest, shown)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id,
    at = excluded.at, likes = excluded.likes, header = excluded.header, native = excluded.native,
    captured_at = excluded.captured_at, source = excluded.source, digest = excluded.digest, shown = excluded.shown`;

export class RecordRows {
  readonly #db: Database;
  readonly #index: SearchIndex;
  readonly #trends: TrendUpkeep;
  readonly #shown: RenderedRows;
  /** Most stores have erased nothing: then no write needs to ask. */
  #anyErased: boolean | undefined;

  constructor(db: Database, index: SearchIndex, trends: TrendUpkeep, shown: RenderedRows) {
    this.#db = db;
    this.#shown = shown;
    this.#index = index;
    this.#trends = trends;
  }

  /** Forgets what only held for the transaction before: it may have failed, or another process may have written. */
  begin(): void {
    this.#anyErased = undefined;
    this.#index.begin();
  }

  isErased(platform: PlatformName, kind: RecordKind, id: string | null): boolean {
    if (id === null) return false;
    this.#anyErased ??= this.#db.get("SELECT 1 FROM erased LIMIT 1") !== undefined;
    return (
      this.#anyErased &&
      this.#db.get("SELECT 1 FROM erased WHERE platform = ? AND kind = ? AND id = ?", platform, kind, erasedKey(id)) !==
        undefined
    );
  }

  put(platform: PlatformName, kind: Exclude<RecordKind, "comment">, found: EncodedRecord, merge: Merge): WriteResult {
    if (this.isErased(platform, kind, found.id)) return "erased";
    if (kind === "post" && this.isErased(platform, "account", found.authorId)) return "erased";
    const held = this.#db.get<RecordRow & { number: number }>(GET_RECORD, platform, kind, found.id);
    if (held === undefined) {
      if (kind === "post") this.#trends.postChanges(platform, found.id, null);
      this.#insert(platform, kind, found);
      return "new";
    }
    if (isSame(held, found)) return "unchanged";
    const before = recordOf<AnyRecord>(held);
    const record = encodeRecord(kind, merge(kind, before, decodeRecord(found)));
    if (isSame(held, record)) return "unchanged";
    if (kind === "post") this.#trends.postChanges(platform, record.id, held.header);
    this.#db.run(
      UPDATE_RECORD,
      record.header,
      record.native,
      record.capturedAt,
      record.source,
      platform,
      kind,
      record.id,
    );
    this.#shown.put(platform, kind, held.number, record);
    if (held.header !== record.header) this.#index.put(platform, kind, record.id, record.document);
    if (kind === "account") this.#putName(platform, record, (before as unknown as Account).name);
    if (kind === "post") this.#moveLists(platform, held.number, record, before as unknown as Post);
    return "updated";
  }

  #insert(platform: PlatformName, kind: Exclude<RecordKind, "comment">, record: EncodedRecord): void {
    const { id, header, native, capturedAt, source } = record;
    const added = this.#db.run(ADD_RECORD, platform, kind, id, header, native, capturedAt, source);
    const number = added.lastInsertRowid;
    this.#shown.put(platform, kind, number, record);
    this.#index.add(platform, kind, record.id, record.document);
    if (kind === "account") this.#putName(platform, record, null);
    if (kind === "post") this.#addToLists(platform, number, record);
  }

  /** A name belongs to the account that was captured last under it. */
  #putName(platform: PlatformName, { id, name, capturedAt }: EncodedRecord, heldName: string | null): void {
    const before = heldName === null ? "" : foldName(heldName);
    if (before !== "" && before !== name) {
      this.#db.run("DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?", platform, before, id);
    }
    if (name === null || name === "") return;
    this.#db.run(
      `INSERT INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (platform, name) DO UPDATE SET id = excluded.id, captured_at = excluded.captured_at
       WHERE excluded.captured_at >= account_names.captured_at`,
      platform,
      name,
      id,
      capturedAt,
    );
  }

  #moveLists(platform: PlatformName, number: number, post: EncodedRecord, before: Post): void {
    const held = listsOf(before);
    const same =
      (before.publishedAt ?? 0) === post.at &&
      JSON.stringify(held.map(({ list, key }) => [list, key])) === JSON.stringify(post.lists);
    if (same) return;
    removeFromLists(this.#db, platform, post.id, before);
    this.#addToLists(platform, number, post);
  }

  #addToLists(platform: PlatformName, number: number, { id, at, lists }: EncodedRecord): void {
    for (const [list, key] of lists) {
      // Others' posts may still name an erased account: it stands in no list of its own.
      if (list === "tagged" && this.isErased(platform, "account", key)) continue;
      this.#db.run(ADD_TO_LIST, platform, list, key, at, id, number);
    }
  }

  putComment(platform: PlatformName, postId: string, found: EncodedRecord, merge: Merge): WriteResult {
    if (this.isErased(platform, "comment", found.id) || this.isErased(platform, "post", postId)) return "erased";
    if (this.isErased(platform, "account", found.authorId)) return "erased";
    const held = this.#db.get<RecordRow>(GET_COMMENT, platform, postId, found.id);
    if (held !== undefined && isSame(held, found)) return "unchanged";
    const comment =
      held === undefined
        ? found
        : encodeRecord("comment", merge("comment", recordOf<AnyRecord>(held), decodeRecord(found)));
    if (held !== undefined && isSame(held, comment)) return "unchanged";
    const shown = this.#shown.comment(platform, comment);
    this.#db.run(
      PUT_COMMENT,
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
      shown?.digest ?? null,
      shown?.text ?? null,
    );
    const document = commentDoc(postId, comment.id);
    if (held === undefined) this.#index.add(platform, "comment", document, comment.document);
    else if (held.header !== comment.header) this.#index.put(platform, "comment", document, comment.document);
    return held === undefined ? "new" : "updated";
  }

  /** A point of the history, unless the counters known just before it were the same. */
  putPoint(platform: PlatformName, kind: RecordKind, id: string, point: CounterPoint): void {
    const counters = JSON.stringify(point.counters);
    if (counters === "{}") return;
    const before = this.#db.get<{ counters: string }>(
      `SELECT counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? AND captured_at <= ?
       ORDER BY captured_at DESC LIMIT 1`,
      platform,
      kind,
      id,
      point.capturedAt,
    );
    if (before?.counters === counters) return;
    if (kind === "post") this.#trends.countersChange(platform, id);
    this.#db.run(
      "INSERT OR REPLACE INTO counter_points (platform, kind, id, captured_at, counters) VALUES (?, ?, ?, ?, ?)",
      platform,
      kind,
      id,
      point.capturedAt,
      counters,
    );
  }
}

function isSame(held: RecordRow, record: EncodedRecord): boolean {
  return held.header === record.header && held.native === record.native && held.captured_at === record.capturedAt;
}
