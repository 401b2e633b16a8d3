/** Accounts, posts, sounds, hashtags and places of one batch, with their list entries, names and search documents. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { imageOf, mergeImage, mergeRecord, type RecordKey, toRecordRow } from "#store/write/record-row.ts";
import { columnNames } from "#store/sql/table.ts";
import type { Merge } from "#store/write/port.ts";
import { type NamedAccount, writeNames } from "./account-names.postgres.ts";
import { movePosts } from "#store/lists/postgres.ts";
import type { NewDocument, SearchIndexWriter } from "#store/search/postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { RECORDS, type RecordTableRow } from "./tables.ts";
import { type BatchOrder, type MergedEntry, VersionedRows } from "#store/postgres/versioned-rows.ts";

export interface RecordValue {
  row: RecordTableRow;
  /** Null for a record as it is stored. */
  encoded: EncodedRecord | null;
}

type IncomingRecord = RecordKey & { encoded: EncodedRecord };

type RecordEntry = MergedEntry<RecordValue, IncomingRecord>;

const LOAD = `SELECT ${columnNames(RECORDS).join(", ")} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export class RecordTable extends VersionedRows<RecordKey, RecordTableRow, RecordValue, IncomingRecord> {
  constructor(merge: Merge, order: BatchOrder) {
    super(
      {
        table: RECORDS,
        kindOf: ({ kind }) => kind,
        keyOf: ({ platform, kind, id }) => [platform, kind, id],
        fromRow: (row) => ({ row, encoded: null }),
        merge: (current, incoming) => mergeValue(current, incoming, merge),
        read: readRecords,
        touchKeyOf: ({ id }) => id,
        imageOf,
        mergeImage: (image, { platform, kind, encoded }) => mergeImage(platform, kind, image, encoded, merge),
      },
      order,
    );
  }

  /** Whether an account was stored with a name. */
  isNamed(platform: PlatformName, id: string): boolean {
    const stored = this.getStored({ platform, kind: "account", id });
    return stored !== undefined && (JSON.parse(stored.row.header) as Account).name !== null;
  }

  /** Of a stored post. */
  getAuthor(platform: PlatformName, id: string): string | null {
    const stored = this.getStored({ platform, kind: "post", id });
    return stored === undefined ? null : (JSON.parse(stored.row.header) as Post).authorId;
  }

  /** Whether the batch changed any post. */
  hasChangedPosts(): boolean {
    return this.changed().some(({ kind }) => kind === "post");
  }

  /**
   * Inserts new posts, which are most of an import and seldom in two concurrent ones, with what is derived from them. Call
   * `indexNewPosts` before.
   */
  async insertPosts(sql: Sql): Promise<void> {
    const added = this.#newPosts();
    await Promise.all([this.insertNew(sql, added), movePosts(sql, toMoves(added))]);
  }

  indexNewPosts(index: SearchIndexWriter): void {
    for (const entry of this.#newPosts()) indexRecord(index, entry);
  }

  #newPosts(): RecordEntry[] {
    return this.added().filter(({ kind }) => kind === "post");
  }

  /** After `write`: what is derived from the records that it wrote. */
  async writeDerived(sql: Sql): Promise<void> {
    const written = this.#others();
    const { account = [], post = [] } = Object.groupBy(written, ({ kind }) => kind);
    await Promise.all([writeNames(sql, toNames(account)), movePosts(sql, toMoves(post))]);
  }

  indexOthers(index: SearchIndexWriter): void {
    for (const entry of this.#others()) indexRecord(index, entry);
  }

  #others(): RecordEntry[] {
    return this.changed().filter(({ isInserted }) => !isInserted);
  }

  /** The documents that are not in the index yet. */
  newDocuments(): NewDocument[] {
    return this.added().map(({ order, value }) => {
      const { platform, kind, id } = (value as RecordValue).row;
      return { order, platform, kind, id };
    });
  }
}

async function readRecords(sql: Sql, records: readonly RecordKey[]): Promise<RecordTableRow[]> {
  const groups = Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`);
  const reads = [...groups.values()].map((group) => {
    const { platform, kind } = group[0] as RecordKey;
    return sql.all<RecordTableRow>(LOAD, [...new Set(group.map(({ id }) => id))], platform, kind);
  });
  return (await Promise.all(reads)).flat();
}

function mergeValue(
  current: RecordValue | undefined,
  { platform, kind, encoded: incoming }: IncomingRecord,
  merge: Merge,
): RecordValue | null {
  const encoded = current === undefined ? incoming : mergeRecord(platform, kind, current.row, incoming, merge)?.encoded;
  if (encoded === undefined) return null;
  return { row: { ...toRecordRow(encoded), platform, kind, version: 0 }, encoded };
}

function indexRecord(index: SearchIndexWriter, { stored, value }: RecordEntry): void {
  const { row, encoded } = value as RecordValue;
  if (encoded === null || stored?.row.header === row.header) return;
  index.put(row.platform, row.kind, row.id, encoded.document, stored === undefined ? "new" : "stored");
}

function toMoves(posts: readonly RecordEntry[]) {
  return posts.flatMap(({ stored, value }) => {
    const { row, encoded } = value as RecordValue;
    if (encoded === null) return [];
    const before = stored === undefined ? null : (JSON.parse(stored.row.header) as Post);
    return [{ platform: row.platform, before, now: encoded }];
  });
}

function toNames(accounts: readonly RecordEntry[]): NamedAccount[] {
  return accounts.flatMap(({ stored, value }) => {
    const { row, encoded } = value as RecordValue;
    if (encoded === null) return [];
    const { name } = stored === undefined ? { name: null } : (JSON.parse(stored.row.header) as Account);
    const { platform, id } = row;
    const before = name === null ? null : foldName(name);
    return [{ platform, id, before, now: encoded.name, namedAt: encoded.namedAt ?? encoded.capturedAt }];
  });
}
