/** Decodes rows of tables to records with their index fields, and finds those of erased records. */
import { parseJsonText } from "#domain/json-text.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import { type SearchDocument, subtitleDocument } from "#search/documents.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { erasedDigest, KEY_KIND } from "#store/erasure/keys.ts";
import { makerKeys } from "#store/erasure/erased-record.ts";
import { learnErased } from "#store/erasure/learn.ts";
import { isUnchanged } from "#store/undo/port.ts";
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
  type PlacedRow,
  placeRows,
  type Rows,
  type SearchedTable,
  type TableBatch,
  type TableName,
  type TableRow,
  TABLES,
  type TypedBatch,
} from "./port.ts";

export interface DecodedRecord {
  platform: PlatformName;
  kind: NonCommentKind;
  version: number;
  encoded: EncodedRecord;
}

export function decodeRecordRow(row: Rows["records"]): DecodedRecord {
  const [platform, kind, id, header, native, capturedAt, source, version] = row;
  return { platform, kind, version, encoded: withIndexFields(kind, { id, header, native, capturedAt, source }) };
}

export interface DecodedComment {
  platform: PlatformName;
  postId: string;
  encoded: EncodedRecord;
}

export function decodeCommentRow(row: Rows["comments"]): DecodedComment {
  const [platform, postId, id, header, native, capturedAt, source] = row;
  return { platform, postId, encoded: withIndexFields("comment", { id, header, native, capturedAt, source }) };
}

/** The arguments of a search index. */
type FoundBy = [platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument];

const FOUND_BY: { readonly [Name in SearchedTable]: (row: Rows[Name]) => FoundBy } = {
  records(row) {
    const { platform, kind, encoded } = decodeRecordRow(row);
    return [platform, kind, encoded.id, encoded.document];
  },
  comments(row) {
    const { platform, postId, encoded } = decodeCommentRow(row);
    return [platform, "comment", commentDocId(postId, encoded.id), encoded.document];
  },
  subtitles(row) {
    const { platform, ...track } = decodeTrackRow(row);
    const id = subtitleDocId(track.postId, track.language, track.automatic);
    return [platform, "subtitle", id, subtitleDocument(track)];
  },
};

/** The document by which a row is found. */
export function searchDocumentOf<Name extends SearchedTable>(table: Name, row: Rows[Name]): FoundBy {
  return FOUND_BY[table](row);
}

type Columns = Pick<EncodedRecord, "id" | "header" | "native" | "capturedAt" | "source">;

/** Index fields never depend on the native object, so it need not be parsed. */
function withIndexFields(kind: RecordKind, columns: Columns): EncodedRecord {
  return { ...columns, ...rowEncoder.indexFields(kind, parseJsonText(columns.header)) };
}

/** A store with rows of this table is not empty, unless these are all that it has. */
export function rowsThatCount(table: TableName): string {
  if (table === "erased") return "SELECT 1 FROM erased WHERE 1 = 0";
  return `SELECT 1 FROM ${table}${table === "tokens" ? " WHERE revoked_at IS NULL" : ""} LIMIT 1`;
}

type ErasedId = readonly [platform: PlatformName, kind: string, id: string, at?: number];

/** The erased ids and revoked tokens of a store that is being filled. */
export class ErasedRows {
  readonly #keys: string[] = [];
  readonly #digests = new Set<string>();
  readonly #platforms = new Set<PlatformName>();
  /** Parts of file names that were looked up: most names of an import have the same. */
  readonly #lookedUp = new Map<string, boolean>();
  readonly #revoked: ReadonlySet<string>;

  /** `rows` are those of the table `erased`. */
  constructor(rows: readonly ErasedId[], revokedKeyIds: Iterable<string>) {
    for (const row of rows) this.#add(row);
    this.#revoked = new Set(revokedKeyIds);
  }

  #add([platform, kind, id]: ErasedId): void {
    if (kind === KEY_KIND) this.#keys.push(id);
    else this.#platforms.add(platform);
    this.#digests.add(`${platform}/${kind}/${id}`);
  }

  #has(platform: PlatformName, kind: string, id: string): boolean {
    return this.#keys.some((key) => this.#digests.has(`${platform}/${kind}/${erasedDigest(key, id)}`));
  }

  /** The ids and names of erased people that rows of accounts show, or the ids of their posts, as rows of `erased`. */
  learn(batch: TableBatch, of: "account" | "post"): Rows["erased"][] {
    const some = placeRows(batch).flatMap(([table, row]) => (table === "records" && row[1] === of ? [row] : []));
    if (of === "post") {
      const skipped = some.filter((row) => this.#isSkipped("records", row));
      return skipped.flatMap(([platform, kind, id]) => this.#remember(platform, kind, id));
    }
    return some.map(decodeRecordRow).flatMap(({ platform, kind, encoded: incoming }) => {
      const records = [{ kind, postId: null, incoming, point: null }];
      const isErased = (erased: RecordKind, id: string) => this.#has(platform, erased, id);
      const learnt = learnErased({ platform, records }, { isErased, getHeader: () => undefined });
      return learnt.flatMap(({ id }) => this.#remember(platform, "account", id));
    });
  }

  /** Splits a batch into what is written and what is skipped, and learns the ids that it erases. */
  split(batch: TableBatch): SplitRows {
    const kept: TableRow[] = [];
    const split: Omit<SplitRows, "kept"> = { skipped: [], changed: [], learnt: [] };
    for (const placed of placeRows(batch)) {
      const [table, row] = placed;
      if (this.#isSkipped(...placed)) {
        split.skipped.push(row);
        // Rows that refer to it come later.
        if (table === "records") split.learnt.push(...this.#remember(row[0], row[1], row[2]));
        continue;
      }
      if (table === "erased") this.#add(row);
      const scrubbed = this.#keys.length === 0 ? row : this.#scrub(...placed);
      kept.push(scrubbed);
      if (scrubbed !== row) split.changed.push({ before: row, after: scrubbed });
    }
    return { ...split, kept: { table: batch.table, rows: kept } as TypedBatch };
  }

  /** Returns the row of `erased` that was missing. */
  #remember(platform: PlatformName, kind: RecordKind, id: string): Rows["erased"][] {
    const [key] = this.#keys;
    if (key === undefined || this.#has(platform, kind, id)) return [];
    const row: Rows["erased"] = [platform, kind, erasedDigest(key, id), Math.floor(Date.now() / 1000)];
    this.#add(row);
    return [row];
  }

  #isSkipped(...placed: PlacedRow): boolean {
    const [table, row] = placed;
    if (table === "erased") return this.#digests.has(row.slice(0, 3).join("/"));
    if (table === "tokens") return this.#revoked.has(row[0]);
    if (this.#keys.length === 0) return false;
    if (table === "watches") return this.#isWatchOfErased(row);
    return subjectsOf(...placed).some(([of, id]) => id !== null && this.#has(row[0], of, id));
  }

  /** The words of a search or a hashtag may be a name by chance. */
  #isWatchOfErased([, platform, kind, target]: Rows["watches"]): boolean {
    if (kind !== "account" && kind !== "channel") return false;
    return [target, provisionalId(target)].some((key) => this.#has(platform, "account", key));
  }

  /** Removes what a row of others says about an erased person. */
  #scrub(...[table, row]: PlacedRow): TableRow {
    const isErased: IsErased = (kind, key) => this.#has(row[0], kind, key);
    const isNamed: IsNamed = (text) => [...listPossibleNames(text)].some((part) => this.#isErasedName(part));
    switch (table) {
      case "records":
      case "comments": {
        const [, , , header, native] = row;
        return withTexts(table, row, { header: scrubJson(header, isErased), native: scrubJson(native, isErased) });
      }
      case "subtitles": {
        const track = { lines: parseJsonText(row[4]) };
        const scrubbed = scrubTrack(track, isErased);
        return scrubbed === track ? row : withTexts(table, row, { lines: JSON.stringify(scrubbed.lines) });
      }
      case "job_records": {
        const [, kind, , , , image] = row;
        if (image === null || isUnchanged(image)) return row;
        return withTexts(table, row, { image: scrubImage(kind, image, isErased) });
      }
      case "jobs":
        return withTexts(table, row, { label: scrubLabel(row[3], isNamed) });
      case "job_files": {
        const [, name, number] = row;
        return isNamed(name) ? withTexts(table, row, { name: eraseFileName(number) }) : row;
      }
      case "job_rejects": {
        const [, , file, , reason] = row;
        const shown = isNamed(file) ? ERASED_TEXT : file;
        return withTexts(table, row, { file: shown, reason: scrubReason(reason, isNamed) });
      }
      default:
        return row;
    }
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

/** The row itself unless one of the texts is another. */
function withTexts<Name extends TableName>(
  table: Name,
  row: TableRow,
  texts: { readonly [Column in (typeof TABLES)[Name][number]]?: string | null },
): TableRow {
  const columns: readonly string[] = TABLES[table];
  return Object.entries<string | null | undefined>(texts).reduce((changed, [column, text = null]) => {
    const at = columns.indexOf(column);
    return text === changed[at] ? changed : changed.with(at, text);
  }, row);
}

export interface SplitRows {
  kept: TypedBatch;
  skipped: TableRow[];
  /** Kept rows that are written otherwise than they came. */
  changed: ChangedRow[];
  /** To be added to `erased`. */
  learnt: Rows["erased"][];
}

type Subject = [kind: RecordKind, id: string | null];

/** The records that a row refers to. If one of them is erased, so is the row. */
function subjectsOf(...[table, row]: PlacedRow): Subject[] {
  switch (table) {
    case "records":
      return [[row[1], row[2]], ...listMakers(row[1], row)];
    case "comments":
      return [["comment", row[2]], ["post", row[1]], ...listMakers("comment", row)];
    case "job_records":
      return subjectsOfTouch(row);
    case "counter_points":
      return [[row[1], row[2]]];
    case "account_names":
      return [["account", row[2]]];
    case "subtitles":
      return [["post", row[1]]];
    case "follows":
      return [
        ["account", row[1]],
        ["account", row[2]],
      ];
    case "chart_entries":
      return [["post", row[5]]];
    default:
      return [];
  }
}

function subjectsOfTouch([, kind, key]: Rows["job_records"]): Subject[] {
  if (kind === "chart") return [];
  if (kind === "subtitles") return [["post", parseJsonText(key)[0]]];
  if (kind === "follow") return parseJsonText(key).map((id) => ["account", id]);
  if (kind !== "comment") return [[kind, key]];
  const [postId, id] = parseJsonText(key);
  return [
    ["post", postId],
    ["comment", id],
  ];
}

function listMakers(kind: RecordKind, [, , , header, native]: Rows["records" | "comments"]): Subject[] {
  const keys = makerKeys(kind, parseJsonText<object>(header), () => parseJsonText(native));
  return keys.map((key) => ["account", key]);
}
