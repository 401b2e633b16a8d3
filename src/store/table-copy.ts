/**
 * What a store is made of, for copying it to another: its tables as rows of plain values, the same for every kind of
 * store. What is derived from them (lists, search documents, trends) is not copied but made anew by the target, so the
 * stores may differ inside.
 */
export type CopyTableName =
  | "erased"
  | "tokens"
  | "jobs"
  | "job_files"
  | "job_rejects"
  | "counter_points"
  | "records"
  | "account_names"
  | "comments"
  | "subtitles"
  | "follows"
  | "chart_entries";

/** In the order of the table's columns; yes and no are 1 and 0. */
export type CopyRow = (string | number | null)[];

export interface CopyTable {
  name: CopyTableName;
  columns: readonly { name: string; type: "text" | "number" }[];
  /** The columns that tell one row from another: the first so many. */
  keyColumns: number;
  /** As many rows as are moved at once: fewer where a row may be large. */
  batchSize: number;
}

/** How far the copying of one table is, kept in the target with the rows themselves. */
export interface CopyProgress {
  table: CopyTableName;
  /** The store that is copied. */
  source: string;
  /** Where the source goes on; null at its beginning. */
  pageToken: string | null;
  done: boolean;
  /** What was copied so far, for whoever copies: the store does not look inside. */
  checksums: Record<string, { rows: number; sum: string }>;
}

export interface CopyPage {
  rows: CopyRow[];
  /** What to ask for the next page with; null when there is none. */
  pageToken: string | null;
}

export interface TableCopy {
  tables: readonly CopyTable[];
  /** Made with the store and never changed: tells it from others. */
  storeId(): Promise<string>;
  count(table: CopyTableName): Promise<number>;
  /**
   * A page of a table. Order `made` is the one in which the rows are to be written again, so that search gives equals in
   * the order it did; order `key` reads the table itself and nothing beside it.
   */
  read(table: CopyTableName, order: "made" | "key", after: string | null, limit: number): Promise<CopyPage>;
  /**
   * Keeps rows as they are, with what is derived from them, and the progress that they make: all or nothing. Rows that
   * are held are replaced. What was erased here stays erased. Refuses if the progress is no longer the one before.
   */
  write(rows: readonly CopyRow[], progress: CopyProgress, before: CopyProgress | null): Promise<void>;
  /** Of a copy that was begun and not finished: a line per table that was begun. */
  progress(): Promise<CopyProgress[]>;
  /** Forgets the progress: the store is like any other from now on. */
  finish(): Promise<void>;
}

function table(name: CopyTableName, keyColumns: number, rowsAtOnce: number, columns: string): CopyTable {
  return {
    name,
    keyColumns,
    batchSize: rowsAtOnce,
    columns: columns.split(" ").map((column) => {
      const [word = "", number] = column.split(":");
      return { name: word, type: number === undefined ? "text" : "number" };
    }),
  };
}

/**
 * In the order of copying. What was erased comes first, since it decides what may come. The history of counters comes
 * before the posts, so that each post is counted once for trends.
 */
export const COPY_TABLES: readonly CopyTable[] = [
  table("erased", 3, 2_000, "platform kind id at:number"),
  table(
    "tokens",
    1,
    // In one piece, since tokens name each other.
    1_000_000,
    "key_id digest label scopes created_at:number expires_at:number revoked_at:number limits replaced_by",
  ),
  table("jobs", 1, 2_000, "id fingerprint origin label state created_at:number updated_at:number owner"),
  table("job_files", 2, 2_000, "job_id name number:number stamp state position:number report"),
  table("job_rejects", 2, 2_000, "job_id number:number file line:number reason"),
  table("counter_points", 4, 2_000, "platform kind id captured_at:number counters"),
  table("records", 3, 1_000, "platform kind id header native captured_at:number source version:number"),
  table("account_names", 2, 2_000, "platform name id captured_at:number"),
  table("comments", 3, 2_000, "platform post_id id header native captured_at:number source"),
  table("subtitles", 4, 200, "platform post_id language automatic:number lines captured_at:number source"),
  table("follows", 3, 2_000, "platform account_id follower_id at:number since:number captured_at:number source"),
  table("chart_entries", 5, 2_000, "platform country section day rank:number post_id captured_at:number source"),
];

export function copyTable(name: CopyTableName): CopyTable {
  return COPY_TABLES.find((candidate) => candidate.name === name) as CopyTable;
}

/** The last step of a copy: nothing may wait any longer. */
export function isLastStep({ table: name, done }: CopyProgress): boolean {
  return done && name === COPY_TABLES.at(-1)?.name;
}

/** Two processes must not fill one target at once. */
export function isSameProgress(held: CopyProgress | null, expected: CopyProgress | null): boolean {
  return held?.pageToken === expected?.pageToken && held?.done === expected?.done && held?.source === expected?.source;
}
