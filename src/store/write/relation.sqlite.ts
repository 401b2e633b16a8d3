/** Writes the captures of a relation, one row per statement. */
import type { PlatformName } from "#domain/record.ts";
import { keyedRowsOf } from "./concerns.ts";
import { bindScalar } from "#store/sqlite/shared-sql.ts";
import { compositeKey } from "#store/undo/port.ts";
import { mergeRelationImage, type Relation, relationImage } from "./relation.ts";
import type { WriteState } from "./state.sqlite.ts";

export class RelationRows<Capture, Values extends object, Row extends Values> {
  readonly #state: WriteState;
  readonly #relation: Relation<Capture, Values, Row>;
  readonly #get: string;
  readonly #write: string;

  constructor(state: WriteState, relation: Relation<Capture, Values, Row>) {
    this.#state = state;
    this.#relation = relation;
    const { kind, restored } = relation;
    const { table, key } = keyedRowsOf(kind);
    const keyColumns = ["platform", ...key];
    const columns = [...keyColumns, ...restored];
    const where = keyColumns.map((column) => `${column} = ?`).join(" AND ");
    this.#get = `SELECT ${restored.join(", ")} FROM ${table} WHERE ${where}`;
    this.#write = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
      ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE SET ${restored.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  }

  write(platform: PlatformName, capture: Capture): void {
    const { db, index } = this.#state;
    const relation = this.#relation;
    const { kind, document } = relation;
    const incoming = relation.toRow(platform, capture);
    const key = relation.keyOf(incoming);
    const values = [platform, ...key.map(bindScalar)];
    // Without the columns of the key.
    const stored = db.get<Row>(this.#get, ...values);
    const row = relation.merge(stored, incoming);
    this.#state.note(
      [platform, kind, compositeKey(...key)],
      { stored, isChanged: row !== null, imageOf: (before) => relationImage(relation, before) },
      (image) => mergeRelationImage(relation, image, incoming),
    );
    if (row === null) return;
    const cells = new Map<string, string | number | null>(Object.entries(row));
    db.run(this.#write, ...values, ...relation.restored.map((column) => cells.get(column) ?? null));
    if (document === undefined || (stored !== undefined && document.sourceOf(stored) === document.sourceOf(row)))
      return;
    index.put(
      platform,
      document.kindOf(row),
      document.idOf(row),
      document.of(row),
      stored === undefined ? "new" : "stored",
    );
  }
}
