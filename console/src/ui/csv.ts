/** Rows as CSV, as the export routes write it: times are ISO 8601. */
import { type CsvCell, createCsvWriter } from "../../../src/domain/csv.ts";
import { toDate } from "./format.ts";

export type Row = Readonly<Record<string, CsvCell>>;

export function toCsv(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { header, line } = createCsvWriter(columns);
  return header + rows.map((row) => line(columns.map((name) => toCell(name, row[name])))).join("");
}

function toCell(name: string, cell: CsvCell): CsvCell {
  const isTime = typeof cell === "number" && (name === "at" || name.endsWith("_at"));
  return isTime ? toDate(cell)?.toISOString() : cell;
}
