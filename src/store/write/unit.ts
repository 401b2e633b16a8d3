/** What deleting and moving records needs of a store beside SQL, within one transaction. */
import type { Post } from "#domain/post.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { NonCommentKind, RecordRow } from "./record-row.ts";
import type { Changes, Merge } from "./port.ts";
import type { MaybePromise, SqlSteps } from "#store/sql/sql.ts";
import type { Scalar } from "#store/sql/table.ts";

/** How `chart_entries` has the country and the section of a chart. */
export interface ChartColumns {
  /** The columns that identify an entry. */
  names: string;
  /** Their values, given platform, country, section, day and rank. */
  toKey(entry: Record<string, Scalar>): Record<string, Scalar>;
  fromKey(platform: PlatformName, row: Record<string, Scalar>): { country: string; section: string };
}

export interface RecordSteps {
  sql: SqlSteps;
  /** The columns of `post_lists` beside the key of the list: those of the primary key, and others. */
  listColumns: { key: string; rest: string[] };
  /** A condition that a column contains a LIKE pattern, whatever the case, with a backslash as escape character. */
  contains: (column: string, parameter: string) => string;
  removeFromLists(platform: PlatformName, posts: readonly { id: string; post: Post }[]): MaybePromise<void>;
  putDocument(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument): void;
  removeDocuments(platform: PlatformName, kind: SearchKind, ids: readonly string[]): MaybePromise<void>;
  /** Renders a record again whose header has changed, if the store keeps its JSON. */
  renderRecord(platform: PlatformName, kind: NonCommentKind, record: RecordRow): void;
  renderComment(platform: PlatformName, postId: string, comment: RecordRow): void;
  /** Writes records with everything derived from them, as an import does. */
  apply(changes: Changes, merge: Merge): MaybePromise<void>;
  charts: ChartColumns;
  /** In every transaction that changes posts or their counters. */
  markTrendsStale(): MaybePromise<void>;
}

/** Few enough for one statement. */
const BATCH_SIZE = 2_000;

export function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
