/** The port that a store's text index implements. All stores return the same results. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "./documents.ts";
import type { Bounds, Match } from "./match.ts";

export interface SearchPartition {
  platform: PlatformName;
  kind: SearchKind;
}

export interface FoundDocument extends Omit<SearchDocument, "likes" | "filterTerms" | "staticRank"> {
  /** Sequence number, assigned when the document is added and never changed. */
  doc: number;
  id: string;
  /** Empty unless requested. */
  text: string;
}

export interface Lookup extends SearchPartition {
  match: Match;
  bounds: Bounds;
  /** Ignores documents added after this one. */
  newest: number;
  limit: number;
  /** Whether to read `text`: it is most of a document, and ranking a single word does not need it. */
  texts: boolean;
  /** Hardly more documents match than this, where that is known: an engine may choose its way by it. */
  expected?: number | undefined;
}

export interface KnownWord {
  word: string;
  /** Number of documents that contain it. */
  docs: number;
}

/** Words of a partition that begin with `prefix`. */
export interface WordRange extends SearchPartition {
  prefix: string;
  limit: number;
}

/** Longer words of a partition that begin or end with `part`. */
export interface LongerWords extends SearchPartition {
  part: string;
  at: "start" | "end";
  limit: number;
}

/** Limit of the words that `listLongerWords` compares, however many share the part. */
export const MAX_LONGER_CANDIDATES = 5_000;

/** Each method takes everything that one step of a search asks for, so that a step is one statement where that matters. */
export interface SearchEngine {
  /** The last document added, in any partition. */
  getNewestDoc(): Promise<number>;
  /** For each look-up its matches by descending static rank, then by sequence number. */
  find(lookups: readonly Lookup[]): Promise<FoundDocument[][]>;
  /** For each range its words in alphabetical order. */
  listWordsByPrefix(ranges: readonly WordRange[]): Promise<KnownWord[][]>;
  /**
   * For each, of the first MAX_LONGER_CANDIDATES words in the order of their letters from that side, the most used, then
   * alphabetical. By their end, only the words that word-endings.ts describes.
   */
  listLongerWords(wanted: readonly LongerWords[]): Promise<KnownWord[][]>;
  /** For each partition the given words that it contains. */
  filterKnownWords(partitions: readonly SearchPartition[], words: readonly string[]): Promise<KnownWord[][]>;
}
