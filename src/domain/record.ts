/**
 * What every held record has, whatever the platform: who it is, where it came from, how old it is.
 * Times are Unix seconds unless a name says otherwise; `null` means "not known", never "none" or "zero".
 */

/** Path segment of a platform, such as `shortvideo`. Open, so that a platform is a folder and a line, not an edit here. */
export type PlatformName = string;

export type RecordKind = "account" | "post" | "comment" | "sound" | "hashtag" | "place";

/** What can be searched: records, and what is spoken in them. */
export type SearchKind = RecordKind | "subtitle";

export interface Provenance {
  /** When the record was last captured, Unix milliseconds. */
  capturedAt: number;
  /** What it was captured with or read from, such as `demo`, `zeeschuimer`, `yt-dlp`. */
  source: string;
}

/** When a value was captured; of an object, when most of it was, with the parts that are older or newer. */
export type FieldAge = number | { at: number; parts: Record<string, FieldAge> };

/** Fields shared by the records that stand on their own. `native` is the platform's own object, merged from all captures. */
export interface StoredRecord<Native extends object> extends Provenance {
  id: string;
  native: Native;
  /** Parts whose newest value is from before `capturedAt`, since later captures did not show them. */
  ages?: Record<string, FieldAge>;
}

/** The counters we know names for. A missing one was never seen; it is not zero. */
export type CounterName =
  | "views"
  | "likes"
  | "comments"
  | "shares"
  | "saves"
  | "reposts"
  | "followers"
  | "following"
  | "posts"
  | "friends"
  | "replies";

export type Counters = { [Name in CounterName]?: number };

/** One observation of a record's counters. */
export interface CounterPoint {
  capturedAt: number;
  counters: Counters;
}
