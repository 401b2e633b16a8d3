import type { Counters, StoredRecord } from "./record.ts";

/** Its `id` is its folded name: one hashtag, however it is written and whether or not the platform's id is known. */
export interface Hashtag<Native extends object = object> extends StoredRecord<Native> {
  /** Without `#`, as written. */
  name: string;
  platformId: string | null;
  /** posts, views */
  counters: Counters;
}
