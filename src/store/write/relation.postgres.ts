/** The rows of one batch that captures are merged into as rows. */
import { compositeKey } from "#store/undo/port.ts";
import type { Scalar, Table } from "#store/sql/table.ts";
import { type BatchOrder, type PlatformRow, readByKey, VersionedRows } from "#store/postgres/versioned-rows.ts";
import { mergeRelationImage, type Relation, relationImage } from "./relation.ts";

/** `relation` is the one of both engines, with the columns of this table. */
export function createRelationRows<
  Capture,
  Values extends object,
  Row extends Values & PlatformRow & Record<keyof Row, Scalar>,
>(
  table: Table<Row>,
  relation: Relation<Capture, Values, Omit<Row, "version"> & Values>,
  order: BatchOrder,
): VersionedRows<Capture, Row, Row, { row: Row }, Row> {
  const { kind, document } = relation;
  return new VersionedRows(
    {
      table,
      kindOf: () => kind,
      keyOf: (row) => table.key.map((column) => String(row[column])),
      // Its version is set when it is written.
      incomingOf: (platform, capture) => ({ ...relation.toRow(platform, capture), version: 0 }) as Row,
      fromRow: (row) => ({ row }),
      merge(current, incoming) {
        const row = relation.merge(current?.row, incoming);
        return row === null ? null : { row };
      },
      read: (sql, rows) => readByKey(sql, table, rows),
      touchKeyOf: (row) => compositeKey(...relation.keyOf(row)),
      imageOf: (row) => relationImage(relation, row),
      mergeImage: (image, incoming) => mergeRelationImage(relation, image, incoming),
      ...(document === undefined ? {} : { document: { ...document, of: ({ row }) => document.of(row) } }),
    },
    order,
  );
}
