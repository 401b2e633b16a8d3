/** What deleting and moving records needs of a store beside SQL, within one transaction. */
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { EncodedRecord } from "../encoded-record.ts";
import type { RecordRow } from "../record-row.ts";
import type { Merge } from "../writer.ts";
import type { MaybePromise, SqlSteps } from "./sql.ts";

export interface RecordSteps {
  sql: SqlSteps;
  /** The columns of `post_lists` beside the key of the list: those of the primary key, and others. */
  listColumns: { key: string; rest: string[] };
  /** The primary key of `chart_entries`. */
  chartKey: string;
  removeFromLists(platform: PlatformName, posts: readonly { id: string; post: Post }[]): MaybePromise<void>;
  putDocument(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument): void;
  removeDocuments(platform: PlatformName, kind: SearchKind, ids: readonly string[]): MaybePromise<void>;
  /** Renders a record again whose header has changed, if the store keeps its JSON. */
  renderRecord(platform: PlatformName, kind: Exclude<RecordKind, "comment">, record: RecordRow): void;
  renderComment(platform: PlatformName, postId: string, comment: RecordRow): void;
  /** Merges an account as if a capture had shown it. */
  mergeAccount(platform: PlatformName, account: EncodedRecord, merge: Merge): MaybePromise<void>;
  /** In every transaction that changes posts or their counters. */
  markTrendsStale(): MaybePromise<void>;
}

/** Few enough for one statement. */
const BATCH_SIZE = 2_000;

export function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
