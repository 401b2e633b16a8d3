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
    for await (const { cells } of batches) {
      let lines = "";
      for (const row of cells) lines += `${formatRow(columns, row)}\n`;
      yield lines;
    }
  },
};

export function formatRow(columns: readonly Column[], cells: readonly Cell[]): string {
  let line = "";
  for (let index = 0; index < columns.length; index++) {
    const { name, type } = columns[index] as Column;
    const cell = cells[index] ?? null;
    const value = type === "time" && cell !== null ? formatTime(cell as number) : cell;
    line += `${index === 0 ? "{" : ","}"${name}":${JSON.stringify(value)}`;
  }
  return `${line}}`;
}
