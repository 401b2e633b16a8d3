/**
 * A store as tables of plain rows, to copy it into another one of any kind. Derived data (lists, search documents,
 * rendered JSON, trends) is not copied but rebuilt by the target.
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

/** In the order of the columns; booleans are 1 and 0. */
export type CopyRow = (string | number | null)[];

export interface CopyTable {
  name: CopyTableName;
  columns: readonly { name: string; type: "text" | "number" }[];
  /** The number of leading columns that form the key. */
  keyColumns: number;
  /** Rows per read and write; fewer for tables with large rows. */
  batchSize: number;
}

/** Progress of one table, written to the target with its rows. */
export interface CopyProgress {
  table: CopyTableName;
  /** Id of the source store. */
  source: string;
  /** Where to read on in the source; null at the start and at the end. */
  pageToken: string | null;
  done: boolean;
  /** Checksums of the rows copied so far, by report group; opaque to the store. */
  checksums: Record<string, { rows: number; sum: string }>;
}

export interface CopyPage {
  rows: CopyRow[];
  /** Null on the last page. */
  nextPageToken: string | null;
}

export interface TableCopy {
  tables: readonly CopyTable[];
  /** Unique, and never changes. */
  storeId(): Promise<string>;
  count(table: CopyTableName): Promise<number>;
  /**
   * Reads a page. Order `insertion` preserves the order of equal search results in the target; order `key` is cheaper.
   */
  read(table: CopyTableName, order: "insertion" | "key", after: string | null, limit: number): Promise<CopyPage>;
  /**
   * Writes rows with everything derived from them and the progress, in one transaction. Existing rows are replaced;
   * erased records stay erased. Rejects if the stored progress is not `before`.
   */
  write(rows: readonly CopyRow[], progress: CopyProgress, before: CopyProgress | null): Promise<void>;
  /** The tables started by an unfinished copy into this store. */
  progress(): Promise<CopyProgress[]>;
  /** Deletes the progress of a finished copy. */
  finish(): Promise<void>;
}

function table(name: CopyTableName, keyColumns: number, batchSize: number, columns: string): CopyTable {
  return {
    name,
    keyColumns,
    batchSize,
    columns: columns.split(" ").map((column) => {
      const [columnName = "", type] = column.split(":");
      return { name: columnName, type: type === undefined ? "text" : "number" };
    }),
  };
}

/** In the order of copying: erased ids come first, since they decide which rows are skipped. */
export const COPY_TABLES: readonly CopyTable[] = [
  table("erased", 3, 2_000, "platform kind id at:number"),
  table(
    "tokens",
    1,
    // In one batch, since tokens refer to each other.
    1_000_000,
    "key_id digest label scopes created_at:number expires_at:number revoked_at:number limits replaced_by",
  ),
  table("jobs", 1, 2_000, "id fingerprint origin label state created_at:number updated_at:number owner"),
  table("job_files", 2, 2_000, "job_id name number:number fingerprint state position:number report"),
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

/** Two processes must not copy into one target concurrently. */
export function isSameProgress(stored: CopyProgress | null, expected: CopyProgress | null): boolean {
  return (
    stored?.pageToken === expected?.pageToken && stored?.done === expected?.done && stored?.source === expected?.source
  );
}
