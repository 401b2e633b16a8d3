/** Apache Parquet, a row group at a time. Lists are JSON, times timestamps in UTC, unknown values null. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ExportFormat } from "../format.ts";
import type { Cell, CellType, ExportColumn, ExportRow } from "../kinds.ts";

/** Rows in memory at a time: readers prefer large groups. */
const GROUP_ROWS = 2_000;

const TYPES = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  list: { type: "BYTE_ARRAY", converted_type: "JSON" },
} as const satisfies Record<CellType, object>;

export const parquet: ExportFormat = {
  name: "parquet",
  extensions: [".parquet"],
  mediaType: "application/vnd.apache.parquet",
  hasShapes: false,
  async *encode({ columns }, batches) {
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({
      writer: bytes,
      schema: [
        { name: "root", num_children: columns.length },
        ...columns.map(({ name, type }) => ({ name, repetition_type: "OPTIONAL" as const, ...TYPES[type] })),
      ],
    });
    let group: ExportRow[] = [];
    for await (const rows of batches) {
      for (const row of rows) group.push(row);
      if (group.length < GROUP_ROWS) continue;
      await writeGroup(writer, columns, group);
      group = [];
      yield takeBytes(bytes);
    }
    if (group.length > 0) await writeGroup(writer, columns, group);
    // The footer: without it a file cannot be read.
    await writer.finish();
    yield takeBytes(bytes);
  },
};

function writeGroup(
  writer: ParquetWriter,
  columns: readonly ExportColumn[],
  rows: readonly ExportRow[],
): void | Promise<void> {
  const columnData = columns.map(({ name, type }) => ({
    name,
    data: rows.map((row) => toValue(row[name] ?? null, type)),
  }));
  return writer.write({ columnData, rowGroupSize: GROUP_ROWS * 2 });
}

function toValue(cell: Cell, type: CellType): Cell | bigint | Date {
  if (type === "integer" && typeof cell === "number") return BigInt(cell);
  return type === "time" && typeof cell === "string" ? new Date(cell) : cell;
}

/** The writer counts on from there: positions in the file are those of everything it wrote. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
