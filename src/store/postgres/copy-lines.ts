/** Formats rows for COPY's text format: fields separated by tabs, special characters escaped by a backslash. */
import type { Scalar } from "../sql/table.ts";
import { toStorable } from "./storable-text.ts";

// oxlint-disable-next-line no-control-regex -- separators, and what text columns cannot store
const SPECIAL = /[\\\t\n\r\u0000\u0001]/;

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function formatField(field: Scalar): string {
  if (field === null) return "\\N";
  if (typeof field !== "string") return String(field);
  return SPECIAL.test(field)
    ? toStorable(field).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
    : field;
}

/** Yields chunks of `chunkRows` lines. */
export function* formatLines<Row extends Record<keyof Row, Scalar>>(
  columns: readonly (keyof Row)[],
  rows: Iterable<Row>,
  chunkRows: number,
): Generator<string> {
  let lines = "";
  let count = 0;
  for (const row of rows) {
    let separator = "";
    for (const column of columns) {
      lines += separator + formatField(row[column]);
      separator = "\t";
    }
    lines += "\n";
    if (++count % chunkRows !== 0) continue;
    yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}
