/**
 * One order for all stores: how well the words fit, then attention and freshness; ties by id. Pure, so that the same
 * candidates always come out the same way.
 */
import { DAY_S } from "#domain/time.ts";
import { BETWEEN_TITLES } from "./documents.ts";
import type { FoundDocument } from "./engine.ts";
import { wordsOf } from "./strategies.ts";
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

/** What a word is worth by where it stands. A text beside a title is a description, else a caption. */
const TITLE = 1;
const TAG = 0.85;
const CAPTION = 0.7;
const DESCRIPTION = 0.5;
/** Of that, for a longer word that only begins so, and for one that holds it in its middle. */
const BEGINNING = 0.6;
const MIDDLE = 0.5;

const WORDS_WEIGHT = 6;
const WHOLE_TITLE = 4;
const PHRASE_IN_TITLE = 1;
const PHRASE_IN_TEXT = 0.5;

export interface Candidate {
  document: FoundDocument;
  /** It holds every word as it was typed: where no other field does, the text does. */
  certain: boolean;
}

/** Best first. */
export function rank(candidates: readonly Candidate[], query: Query, preferences: Preferences): Ranked[] {
  const words = wordsOf(query);
  return candidates
    .map((candidate) => ({ document: candidate.document, score: scoreOf(candidate, query, words, preferences) }))
    .toSorted((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1));
}

function scoreOf({ document, certain }: Candidate, query: Query, words: string[], preferences: Preferences): number {
  const title = ` ${document.title} `;
  const tags = ` ${document.tags} `;
  const text = ` ${document.text} `;
  const textWorth = document.title === "" ? CAPTION : DESCRIPTION;

  const worthOf = (token: string): number => {
    const whole = ` ${token} `;
    if (title.includes(whole)) return TITLE;
    if (tags.includes(whole)) return TAG;
    if (certain || text.includes(whole)) return textWorth;
    const beginning = ` ${token}`;
    if (title.includes(beginning)) return TITLE * BEGINNING;
    if (tags.includes(beginning)) return TAG * BEGINNING;
    if (text.includes(beginning)) return textWorth * BEGINNING;
    return textWorth * MIDDLE;
  };
  const worthOfTerm = ({ tokens }: Term) => tokens.reduce((sum, token) => sum + worthOf(token), 0) / tokens.length;

  let score = document.engagement / 4;
  if (query.terms.length > 0) {
    let worth = 0;
    for (const alternatives of query.terms) worth += Math.max(...alternatives.map(worthOfTerm));
    score += (WORDS_WEIGHT * worth) / query.terms.length;
  }
  if (words.length > 0) {
    const phrase = ` ${words.join(" ")} `;
    if (isWhole(document, words)) score += WHOLE_TITLE;
    else if (words.length > 1 && title.includes(phrase)) score += PHRASE_IN_TITLE;
    else if (words.length > 1 && text.includes(phrase)) score += PHRASE_IN_TEXT;
  }
  if (document.at > 0) score += 1 / (1 + Math.max(0, preferences.now - document.at) / (30 * DAY_S));
  if (preferences.language !== undefined && sameLanguage(document.language, preferences.language)) score += 1.5;
  if (preferences.country !== undefined && document.country === preferences.country) score += 0.5;
  return score;
}

/** The title, one of the names, or a caption in whole is what was asked for. */
function isWhole({ title, text }: FoundDocument, words: string[]): boolean {
  const asked = words.join(" ");
  if (title === "") return text === asked;
  return title === asked || title.split(BETWEEN_TITLES).includes(asked);
}

/** `en` prefers `en-GB` too. */
function sameLanguage(held: string | null, wanted: string): boolean {
  return held !== null && held.split("-")[0]?.toLowerCase() === wanted.split("-")[0]?.toLowerCase();
}
