/**
 * A record as rows: texts and numbers, with all that is derived from it. Making them is most of the work of an import
 * and needs no store, so it is done where the files are read; what crosses to the store is flat and small.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import type { ProjectionRegistry, RawJsonText } from "#domain/projection.ts";
import { listsOf } from "./post-lists.ts";
import type { AnyRecord, IndexFields, PostList, EncodedRecord, RowEncoder } from "./store.ts";
import { projectionsOf, renderRecord } from "./render.ts";

export const createRowEncoder: RowEncoder = { serialise: texts, indexFields: derived };

/** For a store that keeps texts of these shapes. */
export function createRenderingEncoder(book: ProjectionRegistry): RowEncoder {
  return {
    ...createRowEncoder,
    render: (platform, kind, record) =>
      projectionsOf(book, platform, kind).map((shape) => textOf(renderRecord(shape, record))),
  };
}

/** As it goes from thread to thread. */
function textOf({ text, digest }: RawJsonText): RawJsonText {
  return { text, digest };
}

export function encodeRecord(kind: RecordKind, record: AnyRecord): EncodedRecord {
  return {
    id: record.id,
    capturedAt: record.capturedAt,
    source: record.source,
    ...texts(record),
    ...derived(kind, record),
  };
}

/** What is undefined is left out of the text. */
function texts(record: AnyRecord): { header: string; native: string } {
  return {
    header: JSON.stringify({ ...record, id: undefined, native: undefined, capturedAt: undefined, source: undefined }),
    native: JSON.stringify(record.native),
  };
}

const NOTHING = { name: null, authorId: null, at: 0, lists: [], parentId: null, likes: 0 };

function derived(kind: RecordKind, record: AnyRecord): IndexFields {
  const document = documentOf(kind, record);
  if (kind === "comment") {
    const { authorId, parentId, publishedAt, counters } = record as Comment;
    // Unknown likes sort after none.
    return { ...NOTHING, authorId, parentId, at: publishedAt ?? 0, likes: counters.likes ?? -1, document };
  }
  if (kind === "post") {
    const post = record as Post;
    const lists = listsOf(post).map(({ list, key }): [PostList, string] => [list, key]);
    return { ...NOTHING, authorId: post.authorId, at: post.publishedAt ?? 0, lists, document };
  }
  if (kind !== "account") return { ...NOTHING, document };
  const { name } = record as Account;
  return { ...NOTHING, name: name === null ? null : foldName(name), document };
}

/** The record that was prepared. */
export function decodeRecord({
  id,
  header,
  native,
  capturedAt,
  source,
}: Omit<EncodedRecord, keyof IndexFields>): AnyRecord {
  const record = JSON.parse(header) as AnyRecord;
  record.id = id;
  record.native = JSON.parse(native) as object;
  record.capturedAt = capturedAt;
  record.source = source;
  return record;
}
