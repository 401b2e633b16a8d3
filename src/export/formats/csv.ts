/** CSV (RFC 4180) with a header. Lists are JSON arrays, times ISO 8601 in UTC, unknown values empty. */
import { formatTime } from "../format-time.ts";
import type { ExportFormat } from "../format.ts";
import type { Cell, Column } from "../kinds.ts";

/** A spreadsheet would run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\n\r]/;

export const csv: ExportFormat = {
  name: "csv",
  extensions: [".csv"],
  mediaType: "text/csv; charset=utf-8; header=present",
  usesNative: false,
  async *encode({ columns }, batches, { bom }) {
    yield `${bom ? "\uFEFF" : ""}${formatHeader(columns)}`;
    for await (const { cells } of batches) {
      let lines = "";
      for (const row of cells) lines += formatLine(columns, row);
      yield lines;
    }
  },
};

export function formatHeader(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(",")}\r\n`;
}

export function formatLine(columns: readonly Column[], row: readonly Cell[]): string {
  let line = "";
  for (let index = 0; index < columns.length; index++) {
    if (index > 0) line += ",";
    line += formatCell(row[index] ?? null, columns[index] as Column);
  }
  return `${line}\r\n`;
}

function formatCell(cell: Cell, { type }: Column): string {
  if (cell === null) return "";
  if (type === "time") return formatTime(cell as number);
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
