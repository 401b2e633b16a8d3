/** A transaction: its SQL, and what the concerns need of the engine beside that. */
import type { PlatformName } from "#domain/record.ts";
import type { ListTable } from "#store/lists/port.ts";
import type { RenderedTable } from "#store/rendered/port.ts";
import type { DocumentTable } from "#store/search/port.ts";
import type { MaybePromise, SqlSteps } from "#store/sql/sql.ts";
import type { Scalar } from "#store/sql/table.ts";
import type { MoveTouches } from "#store/undo/port.ts";
import type { Changes, Merge } from "./port.ts";

/** How a table has a key that others know by other columns. */
export interface KeyColumns {
  /** The columns that identify a row beside its platform. */
  names: string;
  /** Their values, given platform and key. */
  toKey: (key: Record<string, Scalar>) => Record<string, Scalar>;
  fromKey: (platform: PlatformName, row: Record<string, Scalar>) => Record<string, Scalar>;
}

export interface RecordSteps {
  sql: SqlSteps;
  /** A condition that a column contains a LIKE pattern, whatever the case, with a backslash as escape character. */
  contains: (column: string, parameter: string) => string;
  charts: KeyColumns;
  documents: DocumentTable;
  lists: ListTable;
  rendered: RenderedTable;
  /** In every transaction that changes posts or their counters. */
  markTrendsStale: () => MaybePromise<void>;
  moveTouches: MoveTouches;
  /** Writes records with everything derived from them, as an import does. */
  apply: (changes: Changes, merge: Merge) => MaybePromise<void>;
}

/** The same unit for a dry run. */
export function withoutWriting(unit: RecordSteps): RecordSteps {
  const ignore = () => undefined;
  return {
    ...unit,
    sql: unit.sql.withoutWriting(),
    documents: { put: ignore, remove: ignore },
    lists: { ...unit.lists, remove: ignore },
    rendered: { writeRecord: ignore, writeComment: ignore },
    markTrendsStale: ignore,
    apply: ignore,
  };
}
