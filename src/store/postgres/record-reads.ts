/**
 * Records by id. With Citus, a list and its records may be on different machines, so pages read ids first; then one
 * statement asks the machines that store one of them.
 */
import type { StoredRecord, PlatformName, RecordKind } from "#domain/record.ts";
import { foldName } from "#domain/folding.ts";
import { RECORD_COLUMNS, parseRecordRow, type RecordRow } from "../record-row.ts";
import type { Sql } from "./sql.ts";
import { asStored } from "./storable-text.ts";

const BY_ID = `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = $3`;
const BY_IDS = `SELECT ${RECORD_COLUMNS} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export async function getAccountId(sql: Sql, platform: PlatformName, name: string): Promise<string | null> {
  const row = await sql.get<{ id: string }>(
    "SELECT id FROM account_names WHERE name = $1 AND platform = $2",
    foldName(name),
    platform,
  );
  return row?.id ?? null;
}

/** The headers (JSON) of stored records, by id. */
export async function getHeaders(
  sql: Sql,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.all<Pick<RecordRow, "id" | "header">>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

export class RecordReads {
  readonly #db: Sql;
  readonly #platform: PlatformName;

  constructor(db: Sql, platform: PlatformName) {
    this.#db = db;
    this.#platform = platform;
  }

  async get<Stored extends StoredRecord<object>>(kind: RecordKind, id: string): Promise<Stored | null> {
    const row = await this.#db.get<RecordRow>(BY_ID, id, this.#platform, kind);
    return row === undefined ? null : parseRecordRow<Stored>(row);
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
    const found = await this.#db.all<RecordRow>(BY_IDS, [...new Set(ids)], this.#platform, kind);
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = rows.get(asStored(id));
      return row === undefined ? null : parseRecordRow<Stored>(row);
    });
  }
}
