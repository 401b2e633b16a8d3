/**
 * Writes one record with everything that is derived from it: name, lists, search document. Called within a
 * transaction, so that no reader ever sees one without the other.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { KindCounts } from "#domain/job.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import { listsOf } from "../post-lists.ts";
import type { Counted } from "../store.ts";
import type { Database } from "./database.ts";
import { headerOf, RECORD_COLUMNS, recordOf, type RecordRow } from "./rows.ts";
import type { SearchIndex } from "./search-index.ts";

export type Verdict = keyof KindCounts;

export class RecordRows {
  readonly #db: Database;
  readonly #index: SearchIndex;
  /** Most stores have erased nothing: then no write needs to ask. */
  #anyErased: boolean | undefined;

  constructor(db: Database, index: SearchIndex) {
    this.#db = db;
    this.#index = index;
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
      this.#db.get("SELECT 1 FROM erased WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id) !== undefined
    );
  }

  /** `make` gets the held record, or null, and gives the one to hold. */
  put(
    platform: PlatformName,
    kind: Exclude<RecordKind, "comment">,
    id: string,
    make: (held: Counted | null) => Counted,
  ): Verdict {
    if (this.isErased(platform, kind, id)) return "erased";
    const held = this.#db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`,
      platform,
      kind,
      id,
    );
    const record = make(held === undefined ? null : recordOf<Counted>(held));
    if (kind === "post" && this.isErased(platform, "account", (record as unknown as Post).authorId)) return "erased";
    const header = headerOf(record);
    const native = JSON.stringify(record.native);
    if (held === undefined) {
      this.#db.run(
        "INSERT INTO records (platform, kind, id, header, native, captured_at, source, version) VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
        platform,
        kind,
        id,
        header,
        native,
        record.capturedAt,
        record.source,
      );
    } else if (held.header !== header || held.native !== native || held.captured_at !== record.capturedAt) {
      this.#db.run(
        `UPDATE records SET header = ?, native = ?, captured_at = ?, source = ?, version = version + 1
         WHERE platform = ? AND kind = ? AND id = ?`,
        header,
        native,
        record.capturedAt,
        record.source,
        platform,
        kind,
        id,
      );
    } else return "unchanged";
    const before = held === undefined ? null : (JSON.parse(held.header) as unknown);
    if (held?.header !== header) this.#index.put(platform, kind, record);
    if (kind === "account") this.#putName(platform, record as unknown as Account, before as Account | null);
    if (kind === "post") this.#putLists(platform, record as unknown as Post, before as Post | null);
    return held === undefined ? "new" : "updated";
  }

  /** A name belongs to the account that was captured last under it. */
  #putName(platform: PlatformName, account: Account, before: Account | null): void {
    const name = account.name === null ? "" : foldName(account.name);
    const nameBefore = before?.name == null ? "" : foldName(before.name);
    if (nameBefore !== "" && nameBefore !== name) {
      this.#db.run(
        "DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?",
        platform,
        nameBefore,
        account.id,
      );
    }
    if (name === "") return;
    this.#db.run(
      `INSERT INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (platform, name) DO UPDATE SET id = excluded.id, captured_at = excluded.captured_at
       WHERE excluded.captured_at >= account_names.captured_at`,
      platform,
      name,
      account.id,
      account.capturedAt,
    );
  }

  #putLists(platform: PlatformName, post: Post, before: Post | null): void {
    const lists = listsOf(post);
    if (before !== null) {
      const held = listsOf(before);
      if (JSON.stringify(held) === JSON.stringify(lists)) return;
      for (const { list, key, at } of held) {
        this.#db.run(
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
      this.#db.run(
        "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id) VALUES (?, ?, ?, ?, ?)",
        platform,
        list,
        key,
        at,
        post.id,
      );
    }
  }

  putComment(platform: PlatformName, postId: string, id: string, make: (held: Counted | null) => Counted): Verdict {
    if (this.isErased(platform, "comment", id) || this.isErased(platform, "post", postId)) return "erased";
    const held = this.#db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`,
      platform,
      postId,
      id,
    );
    const comment = make(held === undefined ? null : recordOf<Counted>(held)) as Comment;
    if (this.isErased(platform, "account", comment.authorId)) return "erased";
    const header = headerOf(comment);
    const native = JSON.stringify(comment.native);
    if (held?.header === header && held.native === native && held.captured_at === comment.capturedAt)
      return "unchanged";
    this.#db.run(
      `INSERT INTO comments (platform, post_id, id, parent_id, author_id, at, likes, header, native, captured_at, source)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id, at = excluded.at, likes = excluded.likes,
         header = excluded.header, native = excluded.native, captured_at = excluded.captured_at, source = excluded.source`,
      platform,
      postId,
      id,
      comment.parentId,
      comment.authorId,
      comment.publishedAt ?? 0,
      // Unknown likes sort after none.
      comment.counters.likes ?? -1,
      header,
      native,
      comment.capturedAt,
      comment.source,
    );
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
