/** The port that a store's text index implements. All stores return the same results. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "./documents.ts";
import type { Bounds, Match } from "./match.ts";

export interface SearchPartition {
  platform: PlatformName;
  kind: SearchKind;
}

export interface FoundDocument extends Omit<SearchDocument, "views" | "likes" | "filterTerms" | "staticRank"> {
  /** Sequence number, assigned when the document is added and never changed. */
  doc: number;
  id: string;
  /** Empty unless requested. */
  text: string;
}

export interface Lookup {
  match: Match;
  bounds: Bounds;
  /** Ignores documents added after this one. */
  newest: number;
  limit: number;
  /** Whether to read `text`: it is most of a document, and ranking a single word does not need it. */
  texts: boolean;
}

export interface KnownWord {
  word: string;
  /** Number of documents that contain it. */
  docs: number;
}

/** Limit of the words that `listCompletions` compares, however many share the prefix. */
export const MAX_COMPLETION_CANDIDATES = 5_000;

export interface SearchEngine {
  /** The last document added, in any partition. */
  getNewestDoc(): Promise<number>;
  /** Matches by descending static rank, then by sequence number. */
  find(partition: SearchPartition, lookup: Lookup): Promise<FoundDocument[]>;
  /** Words with this prefix in alphabetical order. */
  listWordsByPrefix(partition: SearchPartition, prefix: string, limit: number): Promise<KnownWord[]>;
  /** Of the first MAX_COMPLETION_CANDIDATES longer words with this prefix, the most used, then alphabetical. */
  listCompletions(partition: SearchPartition, prefix: string, limit: number): Promise<string[]>;
  /** The given words that the index contains. */
  filterKnownWords(partition: SearchPartition, words: readonly string[]): Promise<KnownWord[]>;
  /** Id of the account with this name; null if there is none. */
  getAccountId(platform: PlatformName, name: string): Promise<string | null>;
}
