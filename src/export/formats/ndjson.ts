/** A JSON object per line, with the documented columns. Times are ISO 8601 in UTC, unknown values null. */
import { formatTime } from "../format-time.ts";
import type { ExportFormat } from "../format.ts";
import type { Cell, Column } from "../kinds.ts";

export const ndjson: ExportFormat = {
  name: "ndjson",
  extensions: [".ndjson", ".jsonl"],
  mediaType: "application/x-ndjson",
  usesNative: false,
  async *encode({ columns }, batches) {
    const formatRow = createRowFormatter(columns);
    for await (const { cells } of batches) {
      let lines = "";
      for (const row of cells) lines += `${formatRow(row)}\n`;
      yield lines;
    }
  },
};

export function createRowFormatter(columns: readonly Column[]): (cells: readonly Cell[]) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? "{" : ","}"${name}":`);
  return (cells) => {
    let line = "";
    for (let index = 0; index < names.length; index++) {
      line += names[index] + formatCell(cells[index] ?? null, (columns[index] as Column).type);
    }
    return `${line}}`;
  };
}

/** As `JSON.stringify`, which costs more than the rest of a row where most cells are numbers and nulls. */
function formatCell(cell: Cell, type: Column["type"]): string {
  if (cell === null) return "null";
  if (typeof cell === "number") return type === "time" ? `"${formatTime(cell)}"` : String(cell);
  return JSON.stringify(cell);
}
