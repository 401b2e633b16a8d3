import type { Counters, StoredRecord } from "./record.ts";

/** Anything that was published: a short video, a long video, a photo, an album. */
export interface Post<Native extends object = object> extends StoredRecord<Native> {
  authorId: string | null;
  publishedAt: number | null;
  title: string | null;
  text: string | null;
  language: string | null;
  country: string | null;
  /** Without `#`, as written; found without regard to case and marks. */
  hashtags: string[];
  soundId: string | null;
  /** Ids of the accounts tagged in it. */
  taggedIds: string[];
  placeId: string | null;
  /** What the platform files it under, in its words, such as `Music`. */
  category?: string | null;
  durationS: number | null;
  /** views, likes, comments, shares, saves, reposts */
  counters: Counters;
}
