/** Decodes rows of tables to records with their index fields, and finds those of erased records. */
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { AnyRecord, EncodedRecord } from "./encoded-record.ts";
import { erasedKey } from "./erased-key.ts";
import { authorsOf } from "./post-lists.ts";
import { rowEncoder } from "./row-encoder.ts";
import type { TableBatch, TableName, TableRow } from "./tables.ts";

export interface DecodedRecord {
  platform: PlatformName;
  kind: Exclude<RecordKind, "comment">;
  version: number;
  encoded: EncodedRecord;
}

export function decodeRecordRow(row: TableRow): DecodedRecord {
  type Values = [string, DecodedRecord["kind"], string, string, string, number, string, number];
  const [platform, kind, id, header, native, capturedAt, source, version] = row as Values;
  return { platform, kind, version, encoded: withIndexFields(kind, { id, header, native, capturedAt, source }) };
}

export interface DecodedComment {
  platform: PlatformName;
  postId: string;
  encoded: EncodedRecord;
}

export function decodeCommentRow(row: TableRow): DecodedComment {
  const [platform, postId, id, header, native, capturedAt, source] = row as [
    ...[string, string, string, string, string],
    number,
    string,
  ];
  return { platform, postId, encoded: withIndexFields("comment", { id, header, native, capturedAt, source }) };
}

type Columns = Pick<EncodedRecord, "id" | "header" | "native" | "capturedAt" | "source">;

/** Index fields never depend on the native object, so it need not be parsed. */
function withIndexFields(kind: RecordKind, columns: Columns): EncodedRecord {
  return { ...columns, ...rowEncoder.indexFields(kind, JSON.parse(columns.header) as AnyRecord) };
}

export function decodeTrackRow(row: TableRow): SubtitleTrack & { platform: PlatformName } {
  const [platform, postId, language, automatic, json, capturedAt, source] = row as [
    ...[string, string, string, number, string],
    number,
    string,
  ];
  const lines = JSON.parse(json) as SubtitleLine[];
  return { platform, postId, language, automatic: automatic === 1, lines, capturedAt, source };
}

/** The erased ids of a store that is being filled. */
export class ErasedRows {
  readonly #keys: Set<string>;

  /** `rows` are those of the table `erased`. */
  constructor(rows: readonly TableRow[]) {
    this.#keys = new Set(rows.map(keyOf));
  }

  /** Splits a batch into the rows to write and those to skip, and learns the ids that it erases. */
  split({ table, rows }: TableBatch): { kept: TableRow[]; skipped: TableRow[] } {
    const { true: skipped = [], false: kept = [] } = Object.groupBy(rows, (row) => String(this.#isSkipped(table, row)));
    if (table === "erased") for (const row of kept) this.#keys.add(keyOf(row));
    return { kept, skipped };
  }

  #isSkipped(table: TableName, row: TableRow): boolean {
    if (this.#keys.size === 0) return false;
    if (table === "erased") return this.#keys.has(keyOf(row));
    return subjectsOf(table, row).some(
      ([kind, id]) => id !== null && this.#keys.has(keyOf([row[0] ?? null, kind, erasedKey(id)])),
    );
  }
}

function keyOf([platform, kind, key]: TableRow): string {
  return `${platform}/${kind}/${key}`;
}

type Subject = [kind: RecordKind, id: string | null];

/** The records that a row refers to. If one of them is erased, so is the row. */
function subjectsOf(table: TableName, row: TableRow): Subject[] {
  const [, second, third] = row as [string, string, string];
  switch (table) {
    case "records":
      return second === "post" ? [["post", third], ...listAuthors(row[3])] : [[second as RecordKind, third]];
    case "comments":
      return [["comment", third], ["post", second], ...listAuthors(row[3])];
    case "counter_points":
      return [[second as RecordKind, third]];
    case "account_names":
      return [["account", third]];
    case "subtitles":
      return [["post", second]];
    case "follows":
      return [
        ["account", second],
        ["account", third],
      ];
    case "chart_entries":
      return [["post", row[5] as string]];
    default:
      return [];
  }
}

function listAuthors(header: unknown): Subject[] {
  return authorsOf(JSON.parse(header as string) as Post).map((id) => ["account", id]);
}
