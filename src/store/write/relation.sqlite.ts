/** Writes the captures of a relation, one row per statement. */
import type { PlatformName } from "#domain/record.ts";
import { keyedRowsOf } from "./concerns.ts";
import { bindScalar } from "#store/sqlite/shared-sql.ts";
import { compositeKey } from "#store/undo/port.ts";
import { mergeRelationImage, type Relation, relationImage } from "./relation.ts";
import type { WriteState } from "./state.sqlite.ts";

export function createRelationRows<Capture, Values extends object, Row extends Values>(
  state: WriteState,
  relation: Relation<Capture, Values, Row>,
) {
  const { db, index } = state;
  const { kind, restored, document } = relation;
  const { table, key } = keyedRowsOf(kind);
  const keyColumns = ["platform", ...key];
  const columns = [...keyColumns, ...restored];
  const get = `SELECT ${restored.join(", ")} FROM ${table} WHERE ${keyColumns.map((column) => `${column} = ?`).join(" AND ")}`;
  const write = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE SET ${restored.map((name) => `${name} = excluded.${name}`).join(", ")}`;

  return {
    write(platform: PlatformName, capture: Capture): void {
      const incoming = relation.toRow(platform, capture);
      const values = relation.keyOf(incoming);
      const bound = [platform, ...values.map(bindScalar)];
      // Without the columns of the key.
      const stored = db.get<Row>(get, ...bound);
      const row = relation.merge(stored, incoming);
      state.note(
        [platform, kind, compositeKey(...values)],
        { stored, isChanged: row !== null, imageOf: (before) => relationImage(relation, before) },
        (image) => mergeRelationImage(relation, image, incoming),
      );
      if (row === null) return;
      const cells = new Map<string, string | number | null>(Object.entries(row));
      db.run(write, ...bound, ...restored.map((column) => cells.get(column) ?? null));
      if (document === undefined || (stored !== undefined && document.sourceOf(stored) === document.sourceOf(row)))
        return;
      const isNew = stored === undefined;
      index.put(platform, document.kindOf(row), document.idOf(row), document.of(row), isNew ? "new" : "stored");
    },
  };
}
