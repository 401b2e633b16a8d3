/**
 * A store as tables of plain rows, the same for every store: what a backup contains and an export reads. Derived data
 * (lists, search documents, rendered JSON, trends) is not part of it; a store that is filled derives it again.
 */
import type { ReportKind } from "#domain/job.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { ResolvedMatch } from "#search/searcher.ts";
import type { RowKey } from "#store/undo/port.ts";
import type { NonCommentKind } from "#store/write/record-row.ts";
import type { RowOf } from "../sql/table.ts";
import type { STORE_TABLES } from "#store/write/tables.ts";

/**
 * Columns by table, in the order of a backup: erased ids come first, since they decide which rows are skipped, and records
 * before what refers to them. Backups name these columns: they change with the version of the format only.
 */
export const TABLES = {
  erased: ["platform", "kind", "id", "at"],
  tokens: ["key_id", "digest", "label", "scopes", "created_at", "expires_at", "revoked_at", "limits", "replaced_by"],
  jobs: ["id", "fingerprint", "origin", "label", "state", "created_at", "updated_at", "owner"],
  job_files: ["job_id", "name", "number", "fingerprint", "state", "position", "report"],
  job_rejects: ["job_id", "number", "file", "line", "reason"],
  retention: ["source", "kind", "days"],
  records: ["platform", "kind", "id", "header", "native", "captured_at", "source", "version"],
  watches: [
    "id",
    "platform",
    "kind",
    "target",
    "every_ms",
    "state",
    "created_at",
    "next_at",
    "last_at",
    "last_outcome",
    "runs",
  ],
  counter_points: ["platform", "kind", "id", "captured_at", "counters"],
  account_names: ["platform", "name", "id", "captured_at"],
  comments: ["platform", "post_id", "id", "header", "native", "captured_at", "source"],
  subtitles: ["platform", "post_id", "language", "automatic", "lines", "captured_at", "source"],
  follows: ["platform", "account_id", "follower_id", "at", "since", "captured_at", "source"],
  chart_entries: ["platform", "country", "section", "day", "rank", "post_id", "captured_at", "source"],
  job_records: ["platform", "kind", "key", "number", "job_id", "image", "points"],
} as const satisfies { [Name in Declared["name"]]?: readonly (keyof DeclaredRow<Name>)[] };

type Declared = (typeof STORE_TABLES)[number];
/** With numbers for booleans, and the chart columns, as in SQLite. */
type DeclaredRow<Name> = RowOf<Extract<Declared, { name: Name }>["sqlite"]>;

export type TableName = keyof typeof TABLES;

/** Values in the order of the columns. */
export type Rows = {
  [Name in TableName]: RowTuple<OfEachKind<DeclaredRow<Name>>, (typeof TABLES)[Name]>;
};

/** The kind of a record says what its header has, that of a touch what its key is made of. */
type OfEachKind<Row> = Row extends { kind: NonCommentKind; header: string }
  ? {
      [Kind in Row["kind"]]: Omit<Row, "kind" | "header"> & { kind: Kind; header: JsonText<Header<Kind>> };
    }[Row["kind"]]
  : Row extends { kind: ReportKind; key: string }
    ? { [Kind in Row["kind"]]: Omit<Row, "kind" | "key"> & { kind: Kind; key: RowKey<Kind> } }[Row["kind"]]
    : Row;

type RowTuple<Row, Names extends readonly unknown[]> = Row extends unknown
  ? { -readonly [At in keyof Names]: Names[At] extends keyof Row ? Row[Names[At]] : never }
  : never;

/** A row of any table. */
export type TableRow = (string | number | null)[];

/** A row with its table, which tells its type. */
export type PlacedRow<Name extends TableName = TableName> = { [Each in Name]: [table: Each, row: Rows[Each]] }[Name];

/** As it was sent or read from a file. */
export interface TableBatch {
  table: TableName;
  rows: TableRow[];
}

export type TypedBatch = { [Name in TableName]: { table: Name; rows: Rows[Name][] } }[TableName];

/** The rows of a batch with their types: a batch comes as it was sent. */
export function placeRows({ table, rows }: TableBatch): PlacedRow[] {
  return rows.map((row) => [table, row] as PlacedRow);
}

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export type SearchedTable = "records" | "comments" | "subtitles";

export function decodeTrackRow(row: Rows["subtitles"]): SubtitleTrack & { platform: PlatformName } {
  const [platform, postId, language, automatic, json, capturedAt, source] = row;
  const lines = parseJsonText(json);
  return { platform, postId, language, automatic: automatic === 1, lines, capturedAt, source };
}

/** Rows of other platforms or kinds are left out. */
export interface RowFilter {
  platforms?: readonly PlatformName[];
  /** Of records and counter points. */
  kind?: RecordKind;
  /** Reads `null` instead of the platform's own object, which is most of a row. Some authors are named only there. */
  withoutNative?: boolean | "ifAuthorHasId";
}

export interface TableReader {
  /**
   * All rows, a batch at a time: records, comments and subtitles in the order they were added, which is the order of
   * equal search results; other tables by key. A batch may be empty, where few rows match.
   */
  read<Name extends TableName>(table: Name, filter?: RowFilter): AsyncIterable<Rows[Name][]>;
  /** The rows of those that are stored, by id. */
  getAccountRows(
    platform: PlatformName,
    ids: readonly string[],
    filter?: Pick<RowFilter, "withoutNative">,
  ): Promise<Map<string, Rows["records"]>>;
  /** Account ids by folded name. */
  getAccountIds(platform: PlatformName, names: readonly string[]): Promise<Map<string, string>>;
  /** What a document must match to have every word and filter of a query. */
  resolveQuery(platform: PlatformName, text: string): Promise<ResolvedMatch>;
}

export interface TableWriter extends TableReader {
  /**
   * Before anything is written: remembers the ids and names of people who are erased here and whom these rows show under
   * others, and the ids of their posts. Only needed if anybody is. First the accounts of all batches, then the posts.
   */
  learn(batch: TableBatch, kind: "account" | "post"): Promise<void>;
  write(batch: TableBatch): Promise<WrittenRows>;
}

export interface ChangedRow {
  before: TableRow;
  after: TableRow;
}

export interface WrittenRows {
  /** Erased ids and tokens revoked here, which were known before, and rows of records that are erased here. */
  skipped: TableRow[];
  /** Rows that named somebody who is erased here. */
  changed: ChangedRow[];
  /** Added to the erased ids, so that the skipped records stay out. */
  learnt: Rows["erased"][];
}

export interface Tables {
  /** Reads the state of one moment, whatever is written meanwhile. */
  snapshot<Result>(work: (reader: TableReader) => Promise<Result>): Promise<Result>;
  /**
   * Fills an empty store in one transaction: if the work rejects or the process dies, the store is still empty. Rejects
   * with `StoreNotEmpty` if it has rows; erased ids and revoked tokens are not counted, and outlive it.
   */
  fill<Result>(work: (writer: TableWriter) => Promise<Result>): Promise<Result>;
}

export class StoreNotEmpty extends Error {
  override name = "StoreNotEmpty";
  readonly table: TableName;

  constructor(table: TableName) {
    super(`the target is not empty (it has ${table.replace("_", " ")})`);
    this.table = table;
  }
}
