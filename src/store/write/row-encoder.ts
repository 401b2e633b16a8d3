/**
 * Encodes records as rows of text and numbers, with everything derived from them. This is most of the work of an import
 * and needs no store, so it runs in the parser thread.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { RecordKind, StoredRecord } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import type { AnyRecord, EncodedRecord, IndexFields, RowEncoder } from "./encoded-record.ts";
import { listsOf } from "#store/lists/port.ts";
import type { PostList } from "#store/lists/port.ts";
import { projectionsOf, renderJson } from "#store/rendered/render.ts";

export const rowEncoder: RowEncoder = { serialise, indexFields };

/** For a store that keeps the JSON of these projections. */
export function createRenderingEncoder(registry: ProjectionRegistry): RowEncoder {
  return {
    ...rowEncoder,
    render: (platform, kind, record) =>
      projectionsOf(registry, platform, kind).map((projection) => {
        // A plain object: instances of RawJson lose their class between threads.
        const { json, digest } = renderJson(projection, record);
        return { json, digest };
      }),
  };
}

export function encodeRecord(kind: RecordKind, record: AnyRecord): EncodedRecord {
  const { id, capturedAt, source } = record;
  return { id, capturedAt, source, ...serialise(record), ...indexFields(kind, record) };
}

function serialise(record: AnyRecord): { header: string; native: string } {
  return {
    header: JSON.stringify({ ...record, id: undefined, native: undefined, capturedAt: undefined, source: undefined }),
    native: JSON.stringify(record.native),
  };
}

const NO_FIELDS = { name: null, namedAt: null, authorId: null, at: 0, lists: [], parentId: null, likes: 0 };

function indexFields(kind: RecordKind, record: object): IndexFields {
  const document = documentOf(kind, record);
  if (kind === "comment") {
    const { authorId, parentId, publishedAt, counters } = record as Comment;
    // Unknown likes sort after zero.
    return { ...NO_FIELDS, authorId, parentId, at: publishedAt ?? 0, likes: counters.likes ?? -1, document };
  }
  if (kind === "post") {
    const post = record as Post;
    const lists = listsOf(post).map(({ list, key }): [PostList, string] => [list, key]);
    return { ...NO_FIELDS, authorId: post.authorId, at: post.publishedAt ?? 0, lists, document };
  }
  if (kind !== "account") return { ...NO_FIELDS, document };
  const { name, ages } = record as Account;
  const age = ages?.["name"] ?? null;
  const namedAt = typeof age === "object" ? (age?.at ?? null) : age;
  return { ...NO_FIELDS, name: name === null ? null : foldName(name), namedAt, document };
}

/** The inverse of `encodeRecord`. */
export function decodeRecord<Stored extends StoredRecord<object> = AnyRecord>({
  id,
  header,
  native,
  capturedAt,
  source,
}: Pick<EncodedRecord, "id" | "header" | "native" | "capturedAt" | "source">): Stored {
  const record = JSON.parse(header) as Stored;
  record.id = id;
  record.native = JSON.parse(native) as Stored["native"];
  record.capturedAt = capturedAt;
  record.source = source;
  return record;
}
