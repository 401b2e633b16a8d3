/**
 * Accounts, posts, sounds, hashtags and places of one batch: loads the stored rows together, merges each incoming record
 * in memory, and writes the changed rows together, with their list entries, names and search documents.
 */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { WriteResult } from "../batch-changes.ts";
import type { AnyRecord, EncodedRecord } from "../encoded-record.ts";
import { isSameRecord, parseRecordRow, toRecordRow } from "../record-row.ts";
import { decodeRecord, encodeRecord } from "../row-encoder.ts";
import { columnNames } from "../sql/table.ts";
import type { Merge } from "../writer.ts";
import { AccountNames } from "./account-names.ts";
import { movePosts } from "./post-list-rows.ts";
import { RowCache } from "./row-cache.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { type NonCommentKind, RECORDS, type RecordTableRow } from "./tables.ts";
import { insert, upsert } from "./upsert.ts";

interface CachedRecord {
  row: RecordTableRow;
  /** Before the batch; null for a new record. */
  headerBefore: string | null;
  /** Null until the batch changes the record. */
  encoded: EncodedRecord | null;
}

const LOAD = `SELECT ${columnNames(RECORDS).join(", ")} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export class RecordTable {
  readonly #records = new RowCache<CachedRecord>();
  readonly #names = new AccountNames();
  readonly #index: SearchIndexWriter;

  constructor(index: SearchIndexWriter) {
    this.#index = index;
  }

  async load(sql: Sql, platform: PlatformName, kind: NonCommentKind, ids: readonly string[]): Promise<void> {
    for (const row of await sql.all<RecordTableRow>(LOAD, ids, platform, kind)) {
      this.#records.load([platform, kind, row.id], { row, headerBefore: row.header, encoded: null });
    }
  }

  put(platform: PlatformName, kind: NonCommentKind, incoming: EncodedRecord, merge: Merge): WriteResult {
    const key = [platform, kind, incoming.id];
    const cached = this.#records.get(key);
    if (cached === undefined) {
      this.#set(key, platform, kind, incoming);
      if (kind === "account") this.#names.put(platform, incoming, null);
      return "new";
    }
    if (isSameRecord(cached.row, incoming)) return "unchanged";
    const before = parseRecordRow<AnyRecord>(cached.row);
    const encoded = encodeRecord(kind, merge(kind, before, decodeRecord(incoming)));
    if (isSameRecord(cached.row, encoded)) return "unchanged";
    this.#set(key, platform, kind, encoded, cached);
    if (kind === "account") this.#names.put(platform, encoded, foldedName(before as Account));
    return "updated";
  }

  #set(
    key: readonly string[],
    platform: PlatformName,
    kind: NonCommentKind,
    encoded: EncodedRecord,
    cached?: CachedRecord,
  ): void {
    const row = { ...toRecordRow(encoded), platform, kind, version: (cached?.row.version ?? 0) + 1 };
    this.#records.put(key, { row, headerBefore: cached?.headerBefore ?? null, encoded });
    if (cached?.row.header !== encoded.header) {
      this.#index.put(platform, kind, row.id, encoded.document, cached === undefined ? "new" : "stored");
    }
  }

  /** Whether the batch changed any post. */
  hasChangedPosts(): boolean {
    return this.#records.changed().some(({ row }) => row.kind === "post");
  }

  async flush(sql: Sql): Promise<void> {
    const changed = this.#records.takeChanged();
    if (changed.length === 0) return;
    const added = changed.filter(({ headerBefore }) => headerBefore === null);
    const updated = changed.filter(({ headerBefore }) => headerBefore !== null);
    await Promise.all([
      this.#names.flush(sql),
      movePosts(
        sql,
        changed.flatMap(({ row, headerBefore, encoded }) => {
          if (row.kind !== "post" || encoded === null) return [];
          return { platform: row.platform, before: parsePost(headerBefore), now: encoded };
        }),
      ),
      insert(
        sql,
        RECORDS,
        added.map(({ row }) => row),
      ),
      upsert(
        sql,
        RECORDS,
        updated.map(({ row }) => row),
      ),
    ]);
  }
}

function parsePost(header: string | null): Post | null {
  return header === null ? null : (JSON.parse(header) as Post);
}

function foldedName({ name }: Account): string | null {
  return name === null ? null : foldName(name);
}
