/**
 * An export: rows of one kind, chosen by platform and query, in one format, as chunks that are made as fast as they are
 * taken. A manifest with the count and the SHA-256 of all bytes proves that nothing is missing.
 */
import { createHash } from "node:crypto";
import type { ExportShape } from "#api/platform.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import { contentOf, subtitleContent } from "#search/documents.ts";
import { matches } from "#search/matches.ts";
import { decodeTrackRow, type PlacedRow, placeRows, type TableReader } from "#store/copy/port.ts";
import { exactPoints } from "./exact-points.ts";
import type { ExportFormat } from "./format.ts";
import { csv } from "./formats/csv.ts";
import { json } from "./formats/json.ts";
import { ndjson } from "./formats/ndjson.ts";
import { type AuthorNameOf, type ExportKind, type ExportRow, type PlatformRow, recordOf } from "./kinds.ts";
import { People } from "./people.ts";

/** Those with more to load are loaded when they are used. */
const FORMATS: Record<string, () => Promise<ExportFormat>> = {
  csv: async () => csv,
  ndjson: async () => ndjson,
  json: async () => json,
  parquet: async () => (await import("./formats/parquet.ts")).parquet,
  sqlite: async () => (await import("./formats/sqlite.ts")).sqlite,
};

export const FORMAT_NAMES = Object.keys(FORMATS);

/** `name` is one of FORMAT_NAMES. */
export function loadFormat(name: string): Promise<ExportFormat> {
  return present(FORMATS[name])();
}

export interface ExportRequest {
  kind: ExportKind;
  format: ExportFormat;
  platforms: readonly PlatformName[];
  /** A query of docs/search.md; null for all. */
  where: string | null;
  bom: boolean;
  /** The key of pseudonyms; null leaves people as they are. */
  pseudonyms: Buffer | null;
  /** The contract's own shape of the kind on a platform; null if it has none. */
  shapeOf: (platform: PlatformName) => ExportShape | null;
}

export interface Manifest {
  kind: string;
  format: string;
  rows: number;
  bytes: number;
  /** Of all bytes, hexadecimal. */
  sha256: string;
}

/** A record whose shape has its author. */
interface Authored {
  platform: PlatformName;
  authorId: string | null;
  item: Record<string, unknown>;
  author: NonNullable<ExportShape["author"]>;
}

/** Chunks of the file. The manifest is known when they have all been taken. */
export class Export {
  readonly #request: ExportRequest;
  readonly #reader: TableReader;
  readonly #authorNameOf: AuthorNameOf;
  readonly #hash = createHash("sha256");
  #rows = 0;
  #bytes = 0;

  constructor(reader: TableReader, request: ExportRequest, authorNameOf: AuthorNameOf) {
    this.#reader = reader;
    this.#authorNameOf = authorNameOf;
    this.#request = request;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { kind, format, bom } = this.#request;
    const encoded = format.hasShapes ? format.encode(kind, this.#shapes()) : format.encode(kind, this.rows(), { bom });
    for await (const chunk of encoded) {
      const bytes =
        typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
      if (bytes.length > 0) yield bytes;
    }
  }

  /** So far. */
  get rowCount(): number {
    return this.#rows;
  }

  /** Call it once. */
  takeManifest(): Manifest {
    const { kind, format } = this.#request;
    return {
      kind: kind.name,
      format: format.name,
      rows: this.#rows,
      bytes: this.#bytes,
      sha256: this.#hash.digest("hex"),
    };
  }

  /** Flat rows, without a format. A batch may be empty, so that the reader gets a turn where little matches. */
  async *rows(): AsyncGenerator<ExportRow[]> {
    const { kind, pseudonyms } = this.#request;
    const people = new People(this.#reader, kind, pseudonyms);
    for await (const chosen of this.#read()) {
      const rows: PlatformRow[] = [];
      for (const [, row] of chosen) for (const flat of kind.toRows(row, this.#authorNameOf)) rows.push(flat);
      await people.complete(rows);
      this.#rows += rows.length;
      yield rows;
    }
  }

  /** The contract's own shapes; flat rows on platforms that have none of the kind. */
  async *#shapes(): AsyncGenerator<object[]> {
    const { kind, shapeOf } = this.#request;
    const people = new People(this.#reader, kind, null);
    for await (const chosen of this.#read()) {
      const items: object[] = [];
      const authored: Authored[] = [];
      const flat: PlatformRow[] = [];
      for (const [table, row] of chosen) {
        const [platform] = row;
        const shape = shapeOf(platform);
        if (shape === null || (table !== "records" && table !== "comments")) {
          for (const made of kind.toRows(row, this.#authorNameOf)) flat.push(made);
          continue;
        }
        const record: Pick<Comment, "id"> & Partial<Pick<Comment, "authorId" | "parentId">> = recordOf(row);
        const item = shape.record.project(record as never) as Authored["item"];
        if (shape.author !== undefined) {
          authored.push({ platform, authorId: record.authorId ?? null, item, author: shape.author });
        }
        // The shape of a comment does not say what it belongs to.
        const references = table === "comments" ? { post_id: row[1], parent_id: record.parentId } : {};
        items.push({ platform, ...references, item });
      }
      await this.#addAuthors(authored);
      await people.complete(flat);
      this.#rows += items.length + flat.length;
      if (items.length + flat.length > 0) yield [...items, ...flat];
    }
  }

  /** Changes the items in place. The author as captured with a post may be due to be deleted: only the account counts. */
  async #addAuthors(authored: readonly Authored[]): Promise<void> {
    for (const [platform, posts] of Map.groupBy(authored, (post) => post.platform)) {
      const ids = new Set(posts.flatMap(({ authorId }) => authorId ?? []));
      const rows = await this.#reader.getAccountRows(platform, [...ids]);
      for (const { authorId, item, author } of posts) {
        const row = rows.get(authorId ?? "");
        const account = row === undefined ? { ...blankRecord("account"), id: authorId, native: {} } : recordOf(row);
        item[author.field] = authorId === null ? null : author.projection.project(account as never);
      }
    }
  }

  async *#read(): AsyncGenerator<PlacedRow[]> {
    const { kind, format, platforms } = this.#request;
    const isChosen = await this.#filter();
    const filter = {
      platforms,
      withoutNative: format.hasShapes ? false : ("ifAuthorHasId" as const),
      ...(kind.recordKind === undefined ? {} : { kind: kind.recordKind }),
    };
    const { table } = kind;
    const shown =
      table === "counter_points" ? exactPoints(this.#reader.read(table, filter)) : this.#reader.read(table, filter);
    for await (const rows of shown) yield placeRows({ table, rows }).filter(isChosen);
  }

  async #filter(): Promise<(placed: PlacedRow) => boolean> {
    const { kind, platforms, where } = this.#request;
    const { searchKind } = kind;
    if (where === null || searchKind === null) return () => true;
    const wanted = new Map(
      await Promise.all(
        platforms.map(async (platform) => [platform, await this.#reader.resolveQuery(platform, where)] as const),
      ),
    );
    return (placed) => {
      const [table, row] = placed;
      const match = wanted.get(row[0]);
      if (match === undefined) return false;
      if (table === "subtitles") return matches(match, subtitleContent(decodeTrackRow(row)));
      const isRecord = searchKind !== "subtitle" && (table === "records" || table === "comments");
      return isRecord && matches(match, contentOf(searchKind, recordOf(row)));
    };
  }
}
