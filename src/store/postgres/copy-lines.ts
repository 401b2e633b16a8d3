/** Rows as lines for COPY: fields between tabs, with what would be read as something else behind a backslash. */
import { toStorable } from "./storable-text.ts";

export type Field = string | number | boolean | null;

// oxlint-disable-next-line no-control-regex -- what the store cannot hold as it is, and what ends fields and lines
const SPECIAL = /[\\\t\n\r\u0000\u0001]/;

const WRITTEN: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function written(field: Field): string {
  if (field === null) return "\\N";
  if (typeof field !== "string") return String(field);
  return SPECIAL.test(field)
    ? toStorable(field).replace(/[\\\t\n\r]/g, (character) => WRITTEN[character] as string)
    : field;
}

/** Parts of so many rows each. */
export function* linesOf<Row>(
  columns: readonly { of: (row: Row) => Field }[],
  rows: Iterable<Row>,
  atOnce: number,
): Generator<string> {
  let lines = "";
  let count = 0;
  for (const row of rows) {
    let between = "";
    for (const { of } of columns) {
      lines += between + written(of(row));
      between = "\t";
    }
    lines += "\n";
    if (++count % atOnce !== 0) continue;
    yield lines;
    lines = "";
  }
  if (lines !== "") yield lines;
}
