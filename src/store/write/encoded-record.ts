/** A record encoded as flat text and numbers, ready to be written as rows. */
import type { JsonText } from "#domain/json-text.ts";
import type { RawJsonText } from "#domain/projection.ts";
import type { Counters, PlatformName, RecordKind, StoredRecord } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { PostList } from "#store/lists/port.ts";

export type AnyRecord = StoredRecord<object> & { counters: Counters };

/** The columns and index entries derived from a record. */
export interface IndexFields {
  /** Accounts only: the folded name. */
  name: string | null;
  /** When the name was captured, if later captures of the account lacked it. */
  namedAt: number | null;
  /** Posts and comments only. */
  authorId: string | null;
  /** Publication time in Unix seconds; 0 when unknown. */
  at: number;
  /** Posts only. */
  lists: [list: PostList, key: string][];
  /** Comments only. */
  parentId: string | null;
  likes: number;
  document: SearchDocument;
}

export interface EncodedRecord extends IndexFields {
  id: string;
  /** JSON of everything but id, native, capturedAt and source. */
  header: JsonText<object>;
  native: JsonText<object>;
  capturedAt: number;
  source: string;
  /** One text per stored projection of its kind, in their order. When absent, the store renders them on write. */
  rendered?: readonly RawJsonText[];
}

/** Encodes records as rows. Pure, so it can run in the parser thread. */
export interface RowEncoder {
  serialise: (record: AnyRecord) => { header: string; native: string };
  indexFields: (kind: RecordKind, record: object) => IndexFields;
  /** Present when the store keeps rendered JSON. Call it last: a projection may share parts with the record. */
  render?: (platform: PlatformName, kind: RecordKind, record: AnyRecord) => RawJsonText[];
}
