import type { Counters, StoredRecord } from "./record.ts";

/** A short video, a long video, a photo or an album. */
export interface Post<Native extends object = object> extends StoredRecord<Native> {
  authorId: string | null;
  /** Accounts that published it together with the author: it is in their lists too. */
  coauthorIds?: string[];
  /** Handle and display name of the author as captured with the post; the account has the current ones. */
  authorNames?: string[];
  publishedAt: number | null;
  title: string | null;
  text: string | null;
  language: string | null;
  country: string | null;
  /** Without `#`, as written; looked up ignoring case and accents. */
  hashtags: string[];
  /** Words that the author added for search; the platform does not show them. */
  keywords?: string[];
  soundId: string | null;
  /** Ids of the accounts tagged in it. */
  taggedIds: string[];
  placeId: string | null;
  /** The platform's name for its category, such as `Music`. */
  category?: string | null;
  durationS: number | null;
  /** views, likes, comments, shares, saves, reposts */
  counters: Counters;
}
