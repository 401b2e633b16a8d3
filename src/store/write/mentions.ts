/** Statements by which concerns find and change rows that name a person. */
import type { Steps } from "#store/sql/sql.ts";
import type { ScrubRules, Sought } from "./concern.ts";
import type { RecordRow } from "./record-row.ts";
import type { RecordSteps } from "./unit.ts";

/** The rows of a table with one of the patterns in one of these texts. */
export function findRowsWith<Row>(
  unit: RecordSteps,
  table: string,
  columns: string,
  texts: readonly string[],
  { platform, patterns }: Pick<Sought, "platform" | "patterns">,
): Steps<Row[]> {
  const found = texts.flatMap((text) => patterns.map((_, index) => unit.contains(text, `$${index + 2}`)));
  return unit.sql.all<Row>(
    `SELECT ${columns} FROM ${table} WHERE platform = $1 AND (${found.join(" OR ")})`,
    platform,
    ...patterns,
  );
}

/** Null if the row names nobody who is erased. */
export function scrubRow<Row extends RecordRow>(row: Row, { json }: ScrubRules): Row | null {
  const header = json(row.header);
  const native = json(row.native);
  return header === row.header && native === row.native ? null : { ...row, header, native };
}
