/** What src/search asks of a store's index, and what it is given. Each store answers in its own way, all alike. */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { SearchDocument } from "./documents.ts";
import type { Bounds, Match } from "./match.ts";

export interface SearchPartition {
  platform: PlatformName;
  kind: SearchKind;
}

export interface FoundDocument extends Omit<SearchDocument, "views" | "likes" | "marks" | "standing"> {
  /** Rising with every document that is added; the same as long as the document is held. */
  doc: number;
  id: string;
  /** Empty where it was not asked for. */
  text: string;
}

export interface Lookup {
  match: Match;
  bounds: Bounds;
  /** Only documents up to this one. */
  newest: number;
  limit: number;
  /** Whether `text` is wanted: it is most of a document, and a single word needs none of it to be ranked. */
  texts: boolean;
}

export interface KnownWord {
  word: string;
  /** How many documents hold it. */
  docs: number;
}

/** However many words begin with a letter, no more are looked at. */
export const SIMILAR_WORDS = 5_000;

export interface SearchEngine {
  /** The document that was added last, of all scopes. */
  newest(): Promise<number>;
  /** The matches that stand best, then those added first. */
  find(scope: SearchPartition, lookup: Lookup): Promise<FoundDocument[]>;
  /** Words that begin so, in alphabetical order, at most `limit`. */
  wordsBeginning(scope: SearchPartition, beginning: string, limit: number): Promise<KnownWord[]>;
  /** Of the first `SIMILAR_WORDS` that begin so and go on, the most used, then alphabetical. */
  longerWords(scope: SearchPartition, beginning: string, limit: number): Promise<string[]>;
  /** Those of the given words that are known. */
  wordsAmong(scope: SearchPartition, words: readonly string[]): Promise<KnownWord[]>;
  /** The ids of the account with this name; null when there is none. */
  accountNamed(platform: PlatformName, name: string): Promise<string | null>;
}
