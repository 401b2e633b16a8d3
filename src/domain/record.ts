/**
 * What every stored record has, whatever the platform: identity, provenance, age. Times are Unix seconds unless a name
 * says otherwise; `null` means unknown, never "none" or zero.
 */

/** Path segment of a platform, such as `shortvideo`. A plain string, so that adding a platform changes nothing here. */
export type PlatformName = string;

export const RECORD_KINDS = ["account", "post", "comment", "sound", "hashtag", "place"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export function isRecordKind(text: string): text is RecordKind {
  return RECORD_KINDS.some((kind) => kind === text);
}

/** What can be searched: records and subtitles. */
export const SEARCH_KINDS = ["post", "account", "hashtag", "sound", "place", "comment", "subtitle"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface Provenance {
  /** When the record was last captured, Unix milliseconds. */
  capturedAt: number;
  /** The tool it was captured with, such as `demo`, `zeeschuimer`, `yt-dlp`. */
  source: string;
}

/** When a value was captured; for an object, when most of it was, and the parts that differ. */
export type FieldAge = number | { at: number; parts: Record<string, FieldAge> };

/** Fields shared by all records with an id. `native` is the platform's own object, merged from all captures. */
export interface StoredRecord<Native extends object> extends Provenance {
  id: string;
  native: Native;
  /** Parts that are older than `capturedAt`, since later captures lacked them. */
  ages?: Record<string, FieldAge>;
  /** Fields that captures show only roughly. */
  approximate?: Margins;
}

/** How far off a field may be, in its own unit, by its path: `publishedAt`, `counters.views`. For a text see `EXCERPT`. */
export type Margins = Record<string, number>;

/** A missing counter is unknown, not zero. */
export const COUNTER_NAMES = [
  "views",
  // Beside views, says that these are plays: Instagram counts both, and the two are never one history.
  "plays",
  "likes",
  "comments",
  "shares",
  "saves",
  "reposts",
  "followers",
  "following",
  "posts",
  "friends",
  "replies",
] as const;
export type CounterName = (typeof COUNTER_NAMES)[number];

export type Counters = { [Name in CounterName]?: number };

/** One observation of a record's counters. */
export interface CounterPoint {
  capturedAt: number;
  counters: Counters;
}
