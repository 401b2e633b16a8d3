import type { Counters, StoredRecord } from "./record.ts";

export interface Comment<Native extends object = object> extends StoredRecord<Native> {
  postId: string;
  /** The comment it replies to; null at the top level. */
  parentId: string | null;
  authorId: string | null;
  text: string | null;
  publishedAt: number | null;
  /** likes, replies */
  counters: Counters;
}
