/**
 * Rows as CSV (RFC 4180), as the export routes write it: a text that a spreadsheet would run is quoted with an apostrophe, and
 * times are ISO 8601.
 */
import { toDate } from "./format.ts";

export type Cell = string | number | boolean | readonly string[] | null | undefined;
export type Row = Readonly<Record<string, Cell>>;

const FORMULA = /^'*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\n\r]/;

export function toCsv(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((name) => formatCell(name, row[name])).join(","));
  return [columns.join(","), ...lines, ""].join("\r\n");
}

function formatCell(name: string, cell: Cell): string {
  if (cell == null) return "";
  if (typeof cell === "number" && (name === "at" || name.endsWith("_at"))) return toDate(cell)?.toISOString() ?? "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
