/** Search over one platform's records, in the query language of docs/search.md. */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { SearchKind } from "#domain/record.ts";
import type { SearchState } from "#domain/search-state.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { Natives } from "./natives.ts";

export interface SearchReader<N extends Natives = Natives> {
  searchPosts(search: PostSearch): Promise<SearchPage<Post<N["post"]>>>;
  searchAccounts(text: string, limit: number): Promise<NameMatches<Account<N["account"]>>>;
  searchHashtags(text: string, limit: number): Promise<NameMatches<Hashtag<N["hashtag"]>>>;
  searchPlaces(text: string, limit: number): Promise<NameMatches<Place<N["place"]>>>;
  /** Hashtags and completions that occur beside the query, most used first. */
  suggestKeywords(text: string, limit: number): Promise<string[]>;
  /** Matches of one kind, best first, with facets. */
  search(kind: SearchKind, search: Search): Promise<SearchResults>;
}

export interface Search {
  text: string;
  /** Number of results on the pages before this one. */
  offset: number;
  limit: number;
  /** Unix seconds; freshness is measured from here. */
  now: number;
  /** From the previous page. Later writes are ignored, so no result repeats or goes missing. */
  state?: SearchState | undefined;
  /** Turns off spelling correction when nothing matches. */
  asTyped?: boolean;
}

export interface PostSearch extends Search {
  /** Unix seconds, inclusive. */
  publishedSince?: number | undefined;
  /** Unix seconds, exclusive. */
  publishedUntil?: number | undefined;
  /** Preferences: matching posts rank first, others still follow. */
  language?: string | undefined;
  country?: string | undefined;
}

export interface SearchPage<Item> {
  items: Item[];
  /** To pass with the request for the next page. */
  state: SearchState;
  /** Offset of the next page; absent on the last one. */
  next?: number;
  /** The corrected query that was searched because nothing matched the text as typed; else null. */
  corrected: string | null;
}

export interface NameMatches<Item> {
  items: Scored<Item>[];
  corrected: string | null;
}

export interface Scored<Item> {
  item: Item;
  /** Comparable across kinds: higher is better. */
  score: number;
}

/** One match. `doc` identifies it in a `SearchState`. */
export type Hit = { doc: number; score: number } & (
  | { kind: "post"; record: Post }
  | { kind: "account"; record: Account }
  | { kind: "hashtag"; record: Hashtag }
  | { kind: "sound"; record: Sound }
  | { kind: "place"; record: Place }
  | { kind: "comment"; record: Comment }
  /** `line` is the one with the most query words; `record` is its track without the other lines. */
  | { kind: "subtitle"; record: SubtitleTrack; line: SubtitleLine }
);

export interface SearchResults {
  hits: Hit[];
  /** Whether a next page exists. */
  more: boolean;
  /** For the next page: add the `doc` of each hit that was returned. */
  state: SearchState;
  corrected: string | null;
  facets: Facets;
}

/** Counts over the matches that were examined. */
export interface Facets {
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
