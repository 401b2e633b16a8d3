/**
 * Ranks candidates by how well the words fit, then by attention and freshness; ties by id. Pure, so every store returns
 * the same order.
 */
import { DAY_S } from "#domain/time.ts";
import { TITLE_SEPARATOR } from "./documents.ts";
import type { FoundDocument } from "./engine.ts";
import { plainWords } from "./strategies.ts";
import type { Query, Term } from "./query.ts";

export interface Preferences {
  now: number;
  language?: string | undefined;
  country?: string | undefined;
}

export interface Ranked {
  document: FoundDocument;
  score: number;
}

/** Weight of a word by the field it occurs in. The text of a document with a title is a description, else a caption. */
const TITLE = 1;
const TAG = 0.85;
const CAPTION = 0.7;
const DESCRIPTION = 0.5;
/** Factors for a longer word that starts with it, and for one that contains it. */
const PREFIX = 0.6;
const INFIX = 0.5;

const WORDS_WEIGHT = 6;
const WHOLE_TITLE = 4;
const PHRASE_IN_TITLE = 1;
const PHRASE_IN_TEXT = 0.5;

export interface Candidate {
  document: FoundDocument;
  /** It contains every word as typed: those in no other field are in the text. */
  hasAllWords: boolean;
}

/** Best first. */
export function rank(candidates: readonly Candidate[], query: Query, preferences: Preferences): Ranked[] {
  const words = plainWords(query);
  return candidates
    .map((candidate) => ({ document: candidate.document, score: computeScore(candidate, query, words, preferences) }))
    .toSorted((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1));
}

function computeScore(
  { document, hasAllWords: certain }: Candidate,
  query: Query,
  words: string[],
  preferences: Preferences,
): number {
  const title = ` ${document.title} `;
  const tags = ` ${document.tags} `;
  const text = ` ${document.text} `;
  const textWeight = document.title === "" ? CAPTION : DESCRIPTION;

  const wordWeight = (token: string): number => {
    const whole = ` ${token} `;
    if (title.includes(whole)) return TITLE;
    if (tags.includes(whole)) return TAG;
    if (certain || text.includes(whole)) return textWeight;
    const prefix = ` ${token}`;
    if (title.includes(prefix)) return TITLE * PREFIX;
    if (tags.includes(prefix)) return TAG * PREFIX;
    if (text.includes(prefix)) return textWeight * PREFIX;
    return textWeight * INFIX;
  };
  const termWeight = ({ tokens }: Term) => tokens.reduce((sum, token) => sum + wordWeight(token), 0) / tokens.length;

  let score = document.engagement / 4;
  if (query.terms.length > 0) {
    let weight = 0;
    for (const alternatives of query.terms) weight += Math.max(...alternatives.map(termWeight));
    score += (WORDS_WEIGHT * weight) / query.terms.length;
  }
  if (words.length > 0) {
    const phrase = ` ${words.join(" ")} `;
    if (isWholeTitle(document, words)) score += WHOLE_TITLE;
    else if (words.length > 1 && title.includes(phrase)) score += PHRASE_IN_TITLE;
    else if (words.length > 1 && text.includes(phrase)) score += PHRASE_IN_TEXT;
  }
  if (document.at > 0) score += 1 / (1 + Math.max(0, preferences.now - document.at) / (30 * DAY_S));
  if (preferences.language !== undefined && isSameLanguage(document.language, preferences.language)) score += 1.5;
  if (preferences.country !== undefined && document.country === preferences.country) score += 0.5;
  return score;
}

/** The query is the whole title, one of the names, or the whole caption. */
function isWholeTitle({ title, text }: FoundDocument, words: string[]): boolean {
  const query = words.join(" ");
  if (title === "") return text === query;
  return title === query || title.split(TITLE_SEPARATOR).includes(query);
}

/** By primary language: a preference for `en` covers `en-GB`. */
function isSameLanguage(language: string | null, preferred: string): boolean {
  return language !== null && language.split("-")[0]?.toLowerCase() === preferred.split("-")[0]?.toLowerCase();
}
