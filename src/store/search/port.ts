/** Search in the query language of docs/search.md: over one platform's records, or over those of many together. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchState } from "#domain/search-state.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { IgnoredTerm } from "#search/query.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { Natives } from "#store/records/port.ts";
import type { MaybePromise } from "#store/sql/sql.ts";

export { commentDocId, parseCommentDocId, parseSubtitleDocId, subtitleDocId } from "./doc-ids.ts";

export interface SearchReader<N extends Natives = Natives> {
  searchPosts(search: PostSearch): Promise<SearchPage<Post<N["post"]>>>;
  searchNames(search: NameSearch): Promise<NameResults<N>>;
}

export interface PostSearch {
  text: string;
  /** Number of results on the pages before this one. */
  offset: number;
  limit: number;
  /** Unix seconds; freshness is measured from here. */
  now: number;
  /** From the previous page. Later writes are ignored, so no result repeats or goes missing. */
  state?: SearchState | undefined;
  /** Unix seconds, inclusive. */
  publishedSince?: number | undefined;
  /** Unix seconds, exclusive. */
  publishedUntil?: number | undefined;
  /** Preferences: matching posts rank first, others still follow. */
  language?: string | undefined;
  country?: string | undefined;
  /** Turns off spelling correction when nothing matches. */
  asTyped?: boolean;
  /** If no post has all words, returns those with some of them. */
  orPartial?: boolean;
}

/** How a search took its text. */
export interface SearchReading {
  /** The corrected query that was searched because nothing matched the text as typed; else null. */
  corrected: string | null;
  /** No record has all words; the results have some of them. */
  isPartial: boolean;
  /** Parts of the text that were not searched. */
  ignored: readonly IgnoredTerm[];
}

export interface SearchPage<Item> extends SearchReading {
  items: Item[];
  /** To pass with the request for the next page. */
  state: SearchState;
  /** Offset of the next page; absent on the last one. */
  next?: number;
}

/** How many of each are wanted; those with 0 are not searched. */
export interface NameSearch {
  text: string;
  accounts: number;
  hashtags: number;
  places: number;
  /** Hashtags and completions that occur in posts beside the query, most used first. */
  keywords: number;
  orPartial?: boolean;
}

export interface NameResults<N extends Natives = Natives> extends SearchReading {
  accounts: Scored<Account<N["account"]>>[];
  hashtags: Scored<Hashtag<N["hashtag"]>>[];
  places: Scored<Place<N["place"]>>[];
  keywords: string[];
}

export interface Scored<Item> {
  item: Item;
  /** Comparable across kinds: higher is better. */
  score: number;
}

/** One search over any number of sources. The store does not check which platforms the client may read. */
export type SearchStore = (search: Search) => Promise<SearchResults>;

export interface Search {
  text: string;
  sources: readonly SearchSource[];
  /** Of all sources together. */
  limit: number;
  /** Unix seconds; freshness is measured from here. */
  now: number;
  /** Turns off spelling correction when nothing matches. */
  asTyped?: boolean;
  /** If no record has all words, returns those with some of them. */
  orPartial?: boolean;
  /** Also loads the accounts of the authors of posts. */
  withAuthors?: boolean;
}

/** One kind of record of one platform. */
export interface SearchSource {
  platform: PlatformName;
  kind: SearchKind;
  /** From the previous page; undefined on the first. Later writes are ignored, so no result repeats or goes missing. */
  state?: SearchState | undefined;
}

/** One match. */
export type Hit = { platform: PlatformName; score: number } & (
  | { kind: "post"; record: Post }
  | { kind: "account"; record: Account }
  | { kind: "hashtag"; record: Hashtag }
  | { kind: "sound"; record: Sound }
  | { kind: "place"; record: Place }
  | { kind: "comment"; record: Comment }
  /** `line` is the one with the most query words; `record` is its track without the other lines. */
  | { kind: "subtitle"; record: SubtitleTrack; line: SubtitleLine }
);

export interface SearchResults extends SearchReading {
  /** Best first. */
  hits: Hit[];
  /** Each once; empty without `withAuthors`. */
  authors: { platform: PlatformName; record: Account }[];
  /** Whether a next page exists. */
  more: boolean;
  /** For the next page: the sources that have matches, with their state after this one. */
  sources: SearchSource[];
  /** Of each source that has matches. */
  facets: SourceFacets[];
}

/** Counts over the matches that were examined. */
export interface SourceFacets {
  platform: PlatformName;
  kind: SearchKind;
  /** Number of matches examined. */
  counted: number;
  /** Whether these are all matches. */
  complete: boolean;
  /** Account ids. */
  author: Map<string, number>;
  /** Folded hashtags without `#`. */
  hashtag: Map<string, number>;
  /** Language codes. */
  language: Map<string, number>;
  /** Months as `2026-11`. */
  month: Map<string, number>;
}

/** The index, as the write sides of other concerns maintain it. */
export interface DocumentIndex {
  /** Adds or replaces a document. `state` is that of its record: new, or stored before. */
  put(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument, state: "new" | "stored"): void;
}

/** The search document of a row. */
export interface RowDocument<Row, Value> {
  kindOf: (row: Row) => SearchKind;
  idOf: (row: Row) => string;
  /** The column that it is made of: a row in which this is the same has the same document. */
  sourceOf: (row: Row) => string;
  of: (value: Value) => SearchDocument;
}

export interface NewDocument {
  /** Equal matches are returned in the order of their documents' numbers. */
  order: number;
  platform: PlatformName;
  kind: SearchKind;
  id: string;
}

/** The documents of stored records, within a transaction. */
export interface DocumentTable {
  put: (platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument) => void;
  remove: (platform: PlatformName, kind: SearchKind, ids: readonly string[]) => MaybePromise<void>;
}
