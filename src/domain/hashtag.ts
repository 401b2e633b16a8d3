import type { Counters, StoredRecord } from "./record.ts";

/** Its `id` is its folded name, so that all spellings are one hashtag, with or without a platform id. */
export interface Hashtag<Native extends object = object> extends StoredRecord<Native> {
  /** Without `#`, as written. */
  name: string;
  platformId: string | null;
  /** posts, views */
  counters: Counters;
}
