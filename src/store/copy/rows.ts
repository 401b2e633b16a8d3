/** Decodes rows of tables to records with their index fields, and finds those of erased records. */
import type { ReportKind } from "#domain/job.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { type SearchDocument, subtitleDocument } from "#search/documents.ts";
import type { AnyRecord, EncodedRecord } from "#store/write/encoded-record.ts";
import { erasedDigest, KEY_KIND } from "#store/erasure/keys.ts";
import { makerKeys } from "#store/erasure/erased-record.ts";
import { learnErased } from "#store/erasure/learn.ts";
import { type Image, isUnchanged } from "#store/undo/port.ts";
import type { NonCommentKind } from "#store/write/record-row.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { eraseFileName, type IsNamed, scrubLabel, scrubReason } from "#store/erasure/import-history.ts";
import { listPossibleNames } from "#store/erasure/person.ts";
import { ERASED_TEXT, type IsErased, scrubJson, scrubTrack } from "#store/erasure/scrub.ts";
import { scrubImage } from "#store/erasure/scrub-image.ts";
import { commentDocId, subtitleDocId } from "#store/search/port.ts";
import {
  type ChangedRow,
  decodeTrackRow,
  type SearchedTable,
  type TableBatch,
  type TableName,
  type TableRow,
  TABLES,
} from "./port.ts";

export interface DecodedRecord {
  platform: PlatformName;
  kind: NonCommentKind;
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

/** What a row is found by: the arguments of a search index. */
export function searchDocumentOf(
  table: SearchedTable,
  row: TableRow,
): [platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument] {
  if (table === "subtitles") {
    const { platform, ...track } = decodeTrackRow(row);
    const id = subtitleDocId(track.postId, track.language, track.automatic);
    return [platform, "subtitle", id, subtitleDocument(track)];
  }
  if (table === "comments") {
    const { platform, postId, encoded } = decodeCommentRow(row);
    return [platform, "comment", commentDocId(postId, encoded.id), encoded.document];
  }
  const { platform, kind, encoded } = decodeRecordRow(row);
  return [platform, kind, encoded.id, encoded.document];
}

type Columns = Pick<EncodedRecord, "id" | "header" | "native" | "capturedAt" | "source">;

/** Index fields never depend on the native object, so it need not be parsed. */
function withIndexFields(kind: RecordKind, columns: Columns): EncodedRecord {
  return { ...columns, ...rowEncoder.indexFields(kind, JSON.parse(columns.header) as AnyRecord) };
}

/** A store with rows of this table is not empty, unless these are all that it has. */
export function rowsThatCount(table: TableName): string {
  if (table === "erased") return "SELECT 1 FROM erased WHERE 1 = 0";
  return `SELECT 1 FROM ${table}${table === "tokens" ? " WHERE revoked_at IS NULL" : ""} LIMIT 1`;
}

/** The erased ids and revoked tokens of a store that is being filled. */
export class ErasedRows {
  readonly #keys: string[] = [];
  readonly #digests = new Set<string>();
  readonly #platforms = new Set<PlatformName>();
  /** Parts of file names that were looked up: most names of an import have the same. */
  readonly #lookedUp = new Map<string, boolean>();
  readonly #revoked: ReadonlySet<string>;

  /** `rows` are those of the table `erased`. */
  constructor(rows: readonly TableRow[], revokedKeyIds: Iterable<string>) {
    for (const row of rows) this.#add(row);
    this.#revoked = new Set(revokedKeyIds);
  }

  #add([platform, kind, id]: TableRow): void {
    if (kind === KEY_KIND) this.#keys.push(id as string);
    else this.#platforms.add(platform as PlatformName);
    this.#digests.add(`${platform}/${kind}/${id}`);
  }

  #has(platform: PlatformName, kind: string, id: string): boolean {
    return this.#keys.some((key) => this.#digests.has(`${platform}/${kind}/${erasedDigest(key, id)}`));
  }

  /** The ids and names of erased people that rows of accounts show, or the ids of their posts, as rows of `erased`. */
  learn({ table, rows }: TableBatch, of: "account" | "post"): TableRow[] {
    if (table !== "records") return [];
    const some = rows.filter(([, kind]) => kind === of);
    if (of === "post") {
      const skipped = some.filter((row) => this.#isSkipped(table, row));
      return skipped.flatMap((row) => this.#remember(...(row as [string, RecordKind, string])));
    }
    return some.map(decodeRecordRow).flatMap(({ platform, kind, encoded: incoming }) => {
      const records = [{ kind, postId: null, incoming, point: null }];
      const isErased = (erased: RecordKind, id: string) => this.#has(platform, erased, id);
      const learnt = learnErased({ platform, records }, { isErased, getHeader: () => undefined });
      return learnt.flatMap(({ id }) => this.#remember(platform, "account", id));
    });
  }

  /** Splits a batch into what is written and what is skipped, and learns the ids that it erases. */
  split({ table, rows }: TableBatch): SplitRows {
    const split: SplitRows = { kept: [], skipped: [], changed: [], learnt: [] };
    for (const row of rows) {
      if (this.#isSkipped(table, row)) {
        split.skipped.push(row);
        // Rows that refer to it come later.
        if (table === "records") split.learnt.push(...this.#remember(...(row as [string, RecordKind, string])));
        continue;
      }
      if (table === "erased") this.#add(row);
      const scrubbed = this.#keys.length === 0 ? row : this.#scrub(table, row);
      split.kept.push(scrubbed);
      if (scrubbed !== row) split.changed.push({ before: row, after: scrubbed });
    }
    return split;
  }

  /** Returns the row of `erased` that was missing. */
  #remember(platform: PlatformName, kind: RecordKind, id: string): TableRow[] {
    const [key] = this.#keys;
    if (key === undefined || this.#has(platform, kind, id)) return [];
    const row = [platform, kind, erasedDigest(key, id), Math.floor(Date.now() / 1000)];
    this.#add(row);
    return [row];
  }

  #isSkipped(table: TableName, row: TableRow): boolean {
    const [platform, kind, key] = row as [string, string, string];
    if (table === "erased") return this.#digests.has(`${platform}/${kind}/${key}`);
    if (table === "tokens") return this.#revoked.has(platform);
    if (this.#keys.length === 0) return false;
    if (table === "watches") return this.#isWatchOfErased(row);
    return subjectsOf(table, row).some(([of, id]) => id !== null && this.#has(platform, of, id));
  }

  /** The words of a search or a hashtag may be a name by chance. */
  #isWatchOfErased(row: TableRow): boolean {
    const [, platform, kind, target] = row as [string, PlatformName, string, string];
    if (kind !== "account" && kind !== "channel") return false;
    return [target, provisionalId(target)].some((key) => this.#has(platform, "account", key));
  }

  /** What a row of others says about an erased person goes. */
  #scrub(table: TableName, row: TableRow): TableRow {
    const isErased: IsErased = (kind, key) => this.#has(row[0] as string, kind, key);
    if (table === "subtitles") {
      const at = TABLES.subtitles.indexOf("lines");
      const track = { lines: JSON.parse(row[at] as string) as SubtitleLine[] };
      const scrubbed = scrubTrack(track, isErased);
      return scrubbed === track ? row : row.with(at, JSON.stringify(scrubbed.lines));
    }
    if (table === "job_records") {
      const at = TABLES.job_records.indexOf("image");
      const image = row[at] as Image;
      return image === null || isUnchanged(image)
        ? row
        : row.with(at, scrubImage(row[1] as ReportKind, image, isErased));
    }
    if (table === "jobs" || table === "job_files" || table === "job_rejects") return this.#scrubHistory(table, row);
    if (table !== "records" && table !== "comments") return row;
    let scrubbed = row;
    for (const column of ["header", "native"] as const) {
      const at = (TABLES[table] as readonly string[]).indexOf(column);
      const json = scrubJson(row[at] as string, isErased);
      if (json !== row[at]) scrubbed = scrubbed.with(at, json);
    }
    return scrubbed;
  }

  #scrubHistory(table: "jobs" | "job_files" | "job_rejects", row: TableRow): TableRow {
    const isNamed: IsNamed = (text) => [...listPossibleNames(text)].some((part) => this.#isErasedName(part));
    if (table === "jobs") {
      const at = TABLES.jobs.indexOf("label");
      return replaceText(row, at, scrubLabel(row[at] as string, isNamed));
    }
    if (table === "job_files") {
      const [, name, number] = row as [string, string, number];
      return isNamed(name) ? row.with(1, eraseFileName(number)) : row;
    }
    const [, , file, , reason] = row as [string, number, string, number | null, string];
    const renamed = isNamed(file) ? row.with(2, ERASED_TEXT) : row;
    return replaceText(renamed, 4, scrubReason(reason, isNamed));
  }

  #isErasedName(part: string): boolean {
    let isErased = this.#lookedUp.get(part);
    if (isErased === undefined) {
      isErased = [...this.#platforms].some(
        (platform) =>
          this.#has(platform, "account", provisionalId(part)) ||
          (["account", "post", "comment"] as const).some((kind) => this.#has(platform, kind, part)),
      );
      this.#lookedUp.set(part, isErased);
    }
    return isErased;
  }
}

function replaceText(row: TableRow, at: number, text: string): TableRow {
  return text === row[at] ? row : row.with(at, text);
}

export interface SplitRows {
  kept: TableRow[];
  skipped: TableRow[];
  /** Those of the kept ones that are written otherwise than they came. */
  changed: ChangedRow[];
  /** To be added to `erased`. */
  learnt: TableRow[];
}

type Subject = [kind: RecordKind, id: string | null];

/** The records that a row refers to. If one of them is erased, so is the row. */
function subjectsOf(table: TableName, row: TableRow): Subject[] {
  const [, second, third] = row as [string, string, string];
  switch (table) {
    case "records":
      return [[second as RecordKind, third], ...listMakers(second as RecordKind, row)];
    case "comments":
      return [["comment", third], ["post", second], ...listMakers("comment", row)];
    case "job_records":
      return subjectsOfTouch(second as ReportKind, third);
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

function subjectsOfTouch(kind: ReportKind, key: string): Subject[] {
  if (kind === "chart") return [];
  if (kind !== "comment" && kind !== "subtitles" && kind !== "follow") return [[kind, key]];
  const [first, second] = JSON.parse(key) as [string, string];
  if (kind === "subtitles") return [["post", first]];
  if (kind === "comment")
    return [
      ["post", first],
      ["comment", second],
    ];
  return [
    ["account", first],
    ["account", second],
  ];
}

/** The row is of records or comments. */
function listMakers(kind: RecordKind, [, , , header, native]: TableRow): Subject[] {
  const keys = makerKeys(kind, JSON.parse(header as string) as object, () => JSON.parse(native as string) as object);
  return keys.map((key) => ["account", key]);
}
