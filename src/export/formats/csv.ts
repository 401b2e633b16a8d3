/** CSV (RFC 4180) with a header. Lists are JSON arrays, times ISO 8601 in UTC, unknown values empty. */
import { protectFormula } from "#domain/formula-cell.ts";
import type { ExportFormat } from "../format.ts";
import type { Cell, CellType, ExportColumn, ExportRow } from "../kinds.ts";

const NEEDS_QUOTES = /[",\n\r]/;
/** One test instead of two for most texts. */
const FORMULA_OR_QUOTES = /^'*[=+\-@\t\r]|[",\n\r]/;

export const csv: ExportFormat = {
  name: "csv",
  extensions: [".csv"],
  mediaType: "text/csv; charset=utf-8; header=present",
  hasShapes: false,
  async *encode({ columns }, batches, { bom }) {
    yield `${bom ? "\uFEFF" : ""}${formatHeader(columns)}`;
    for await (const rows of batches) {
      let lines = "";
      for (const row of rows) lines += formatLine(columns, row);
      yield lines;
    }
  },
};

export function formatHeader(columns: readonly ExportColumn[]): string {
  return `${columns.map(({ name }) => name).join(",")}\r\n`;
}

export function formatLine(columns: readonly ExportColumn[], row: ExportRow): string {
  let line = "";
  for (const { name, type } of columns) line += `,${formatCell(row[name] ?? null, type)}`;
  return `${line.slice(1)}\r\n`;
}

function formatCell(cell: Cell, type: CellType): string {
  if (cell === null) return "";
  if (type !== "text" && type !== "list") return String(cell);
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  if (!FORMULA_OR_QUOTES.test(text)) return text;
  const safe = protectFormula(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
