/** Records by id and by name, one statement each. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind, StoredRecord } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { Sql } from "#store/sql/sql.ts";
import { parseRecordRow, RECORD_ROW, type RecordRow } from "#store/write/record-row.ts";
import { select } from "#store/sql/select.ts";
import { ACCOUNT_NAMES, RECORDS } from "./tables.ts";
import type { Natives, RecordReader, RecordsById } from "./port.ts";

export class RecordTableReads implements RecordsById {
  readonly #sql: Sql;
  readonly #platform: PlatformName;

  constructor(sql: Sql, platform: PlatformName) {
    this.#sql = sql;
    this.#platform = platform;
  }

  async get<Stored extends StoredRecord<object>>(kind: RecordKind, id: string): Promise<Stored | null> {
    const row = await this.#sql.get(
      select(RECORDS, RECORD_ROW, "WHERE id = $1 AND platform = $2 AND kind = $3"),
      id,
      this.#platform,
      kind,
    );
    return parse<Stored>(row);
  }

  /** In the order of the ids; missing records are left out. */
  async list<Stored extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Promise<Stored[]> {
    return (await this.listEach<Stored>(kind, ids)).filter((record) => record !== null);
  }

  /** In the order of the ids; null for missing records. */
  async listEach<Stored extends StoredRecord<object>>(
    kind: RecordKind,
    ids: readonly string[],
  ): Promise<(Stored | null)[]> {
    if (ids.length === 0) return [];
    const rows = await this.#sql.all(
      select(RECORDS, RECORD_ROW, "WHERE id = ANY($1) AND platform = $2 AND kind = $3"),
      [...new Set(ids)],
      this.#platform,
      kind,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => parse<Stored>(byId.get(id.toWellFormed())));
  }
}

function parse<Stored extends StoredRecord<object>>(row: RecordRow | undefined): Stored | null {
  return row === undefined ? null : parseRecordRow<Stored>(row);
}

type RecordReads<N extends Natives> = Omit<
  RecordReader<N>,
  "getRenderedAccount" | "getRenderedAccountByName" | "getRenderedPost"
>;

export function createRecordReads<N extends Natives>(
  sql: Sql,
  platform: PlatformName,
  records: RecordsById,
): RecordReads<N> {
  return {
    getAccount: (id) => records.get<Account<N["account"]>>("account", id),
    async getAccountByName(name) {
      const row = await sql.get(
        select(ACCOUNT_NAMES, ["id"], "WHERE name = $1 AND platform = $2 ORDER BY captured_at DESC, id LIMIT 1"),
        foldName(name),
        platform,
      );
      return row === undefined ? null : records.get<Account<N["account"]>>("account", row.id);
    },
    getAccounts: (ids) => records.list<Account<N["account"]>>("account", ids),
    async hasProvisionalAccounts() {
      const row = await sql.get(
        "SELECT 1 FROM records WHERE platform = $1 AND kind = 'account' AND id >= '@' AND id < 'A' LIMIT 1",
        platform,
      );
      return row !== undefined;
    },
    getPost: (id) => records.get<Post<N["post"]>>("post", id),
    async getAnyPostId() {
      const row = await sql.get(select(RECORDS, ["id"], "WHERE platform = $1 AND kind = 'post' LIMIT 1"), platform);
      return row?.id ?? null;
    },
    getPosts: (ids) => records.list<Post<N["post"]>>("post", ids),
    getSound: (id) => records.get<Sound<N["sound"]>>("sound", id),
    getPlace: (id) => records.get<Place<N["place"]>>("place", id),
    getHashtag: (name) => records.get<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),
  };
}
