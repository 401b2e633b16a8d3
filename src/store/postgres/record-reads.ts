/** Records by id. A page is the ids of a list, then these: the two may lie on different machines. */
import type { StoredRecord, PlatformName, RecordKind } from "#domain/record.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { Database } from "./database.ts";
import { asHeld } from "./storable-text.ts";

const BY_ID = `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = $3`;
const BY_IDS = `SELECT ${RECORD_COLUMNS} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export class RecordReads {
  readonly #db: Database;
  readonly #platform: PlatformName;
  /** Records are spread over machines by id: each is asked for at its own, and none asks all. */
  readonly #spread: boolean;

  constructor(db: Database, platform: PlatformName, spread: boolean) {
    this.#db = db;
    this.#platform = platform;
    this.#spread = spread;
  }

  async get<Kept extends StoredRecord<object>>(kind: RecordKind, id: string): Promise<Kept | null> {
    const row = await this.#db.get<RecordRow>(BY_ID, id, this.#platform, kind);
    return row === undefined ? null : recordOf<Kept>(row);
  }

  /** In the order asked for; those not held are left out. */
  async list<Kept extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Promise<Kept[]> {
    return (await this.listEach<Kept>(kind, ids)).filter((record) => record !== null);
  }

  /** In the order asked for; null for those not held. */
  async listEach<Kept extends StoredRecord<object>>(
    kind: RecordKind,
    ids: readonly string[],
  ): Promise<(Kept | null)[]> {
    if (ids.length === 0) return [];
    const rows = new Map((await this.#rows(kind, ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = rows.get(asHeld(id));
      return row === undefined ? null : recordOf<Kept>(row);
    });
  }

  /** Only what we query of them, as JSON; by id. */
  async headers(kind: RecordKind, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#db.all<{ id: string; header: string }>(
      "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
      ids,
      this.#platform,
      kind,
    );
    return new Map(rows.map(({ id, header }) => [id, header]));
  }

  #rows(kind: RecordKind, ids: readonly string[]): Promise<RecordRow[]> {
    if (!this.#spread) return this.#db.all<RecordRow>(BY_IDS, ids, this.#platform, kind);
    return this.#db.withConnection(async (sql) => {
      const found = await Promise.all(
        [...new Set(ids)].map((id) => sql.all<RecordRow>(BY_ID, id, this.#platform, kind)),
      );
      return found.flat();
    });
  }
}
