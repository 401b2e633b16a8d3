/**
 * Ranks candidates by how well the words fit, then by attention and freshness; ties by id. Pure, so every store returns
 * the same order.
 */
import type { SearchKind } from "#domain/record.ts";
import { DAY_S } from "#domain/time.ts";
import { TAGS_GAP, TAGS_SEPARATOR, TITLE_SEPARATOR } from "./documents.ts";
import type { FoundDocument } from "./engine.ts";
import { hasUnit, joinWords, listJoins, type NamedAuthor, plainWords, type Unit } from "./strategies.ts";
import type { Query, Term } from "./query.ts";
import { listVariants } from "./tokens.ts";

export interface Preferences {
  now: number;
  language?: string | undefined;
  country?: string | undefined;
}

export interface Ranked {
  document: FoundDocument;
  score: number;
  /** It is an account, hashtag, sound or place, and the query is its name. */
  isWholeName: boolean;
}

/** Weight of a word by the field it occurs in. The text of a document with a title is a description, else a caption. */
const TITLE = 1;
const TAG = 0.85;
const AUTHOR = 0.8;
const CAPTION = 0.8;
const DESCRIPTION = 0.5;
const KEYWORD = 0.35;
/** Factors for a longer word that starts with it, and for one that contains it. */
const PREFIX = 0.6;
const INFIX = 0.5;

const WORDS_WEIGHT = 6;
/** For ten times the attention: more than between hashtag and caption, less than between title and description. */
const ATTENTION_WEIGHT = 0.3;
/** For whom this is the name, it outweighs any attention. */
const WHOLE_NAME = 6;
const WHOLE_TITLE = 4;
const PHRASE_IN_TITLE = 1;
const PHRASE_IN_TEXT = 0.5;

export interface Candidate {
  document: FoundDocument;
  /** It contains every word as typed: those in no other field are in the text. */
  hasAllWords: boolean;
}

/** Best first. `authors` are accounts whose current names contain a word of the query. */
export function rank(
  kind: SearchKind,
  candidates: readonly Candidate[],
  query: Query,
  preferences: Preferences,
  authors: readonly NamedAuthor[] = [],
): Ranked[] {
  const words = plainWords(query);
  const joins = listJoins(query);
  const isNamed = NAMED_KINDS.has(kind);
  const wholeTitle = isNamed ? WHOLE_NAME : WHOLE_TITLE;
  const names = new Map(authors.map(({ id, title }) => [id, ` ${title} `]));
  const ranked = candidates
    .map((candidate) => {
      const authorNames = names.get(candidate.document.author ?? "") ?? "";
      return {
        document: candidate.document,
        score: computeScore(candidate, query, words, preferences, { authorNames, wholeTitle, joins }),
        isWholeName: isNamed && words.length > 0 && isWholeTitle(candidate.document, words),
      };
    })
    .toSorted((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1));
  return kind === "post" ? liftMostViewed(ranked, candidates) : ranked;
}

/** More than attention and freshness can give for a tenth of the words. */
const UNITS_WEIGHT = 24;

/** A unit of a query that is known to some record, and what it counts for: the rarer, the more. */
export interface WeightedUnit {
  unit: Unit;
  weight: number;
}

/** Best first: by the units that a record has, then by attention and freshness. */
export function rankPartial(
  candidates: readonly Candidate[],
  query: Query,
  units: readonly WeightedUnit[],
  preferences: Preferences,
): (Ranked & { share: number })[] {
  const total = units.reduce((sum, { weight }) => sum + weight, 0);
  const withoutWords = { ...query, terms: [] };
  return candidates
    .map((candidate) => {
      const { title, tags, text } = candidate.document;
      const fields = [title.replaceAll(TITLE_SEPARATOR, " "), tags.replaceAll(TAGS_GAP, ""), text].map(
        (field) => ` ${field} `,
      );
      const found = units.filter(({ unit }) => hasUnit(unit, fields));
      const share = found.reduce((sum, { weight }) => sum + weight, 0) / total;
      const others = computeScore(candidate, withoutWords, [], preferences, {
        authorNames: "",
        wholeTitle: 0,
        joins: [],
      });
      return { document: candidate.document, score: UNITS_WEIGHT * share + others, isWholeName: false, share };
    })
    .toSorted((a, b) => b.score - a.score || (a.document.id < b.document.id ? -1 : 1));
}

/** The places, from 0, by which the most viewed matches come, wherever in them the words are. */
const PLACES_OF_MOST_VIEWED = [1, 4, 7];

/** Only those that contain every word as typed. */
function liftMostViewed(ranked: Ranked[], candidates: readonly Candidate[]): Ranked[] {
  const whole = new Set(candidates.filter(({ hasAllWords }) => hasAllWords).map(({ document }) => document));
  const mostViewed = ranked
    .filter(({ document }) => whole.has(document))
    // Stable: equal views keep the order of their scores.
    .toSorted((a, b) => b.document.views - a.document.views || b.document.engagement - a.document.engagement);
  const lifted = [...ranked];
  for (const [index, place] of PLACES_OF_MOST_VIEWED.entries()) {
    const [moved, before, after] = [mostViewed[index], lifted[place - 1], lifted[place]];
    if (moved === undefined || before === undefined || after === undefined) break;
    const found = lifted.indexOf(moved);
    if (found <= place) continue;
    lifted.splice(found, 1);
    lifted.splice(place, 0, { ...moved, score: (before.score + after.score) / 2 });
  }
  return lifted;
}

function computeScore(
  { document, hasAllWords: certain }: Candidate,
  query: Query,
  words: string[],
  preferences: Preferences,
  { authorNames, wholeTitle, joins }: { authorNames: string; wholeTitle: number; joins: readonly string[][] },
): number {
  const title = ` ${document.title} `;
  const tags = ` ${document.tags} `;
  const [endOfTags, endOfNames] = endsOfParts(tags);
  const text = ` ${document.text} `;
  const textWeight = document.title === "" ? CAPTION : DESCRIPTION;

  const weightInTags = (at: number) => (at < endOfTags ? TAG : at < endOfNames ? AUTHOR : KEYWORD);

  const wholeWeight = (token: string): number => {
    const whole = ` ${token} `;
    if (title.includes(whole)) return TITLE;
    const at = tags.indexOf(whole);
    const inTags = at < 0 ? 0 : weightInTags(at);
    if (inTags > KEYWORD) return inTags;
    if (authorNames.includes(whole)) return AUTHOR;
    return text.includes(whole) ? textWeight : inTags;
  };
  const wordWeight = (token: string, ofTerm: readonly string[]): number => {
    const exact = Math.max(...listVariants(token).map(wholeWeight));
    if (exact > 0) return exact;
    const joined = Math.max(0, ...ofTerm.map(wholeWeight));
    if (joined > 0) return joined;
    if (certain) return textWeight;
    const prefix = ` ${token}`;
    if (title.includes(prefix)) return TITLE * PREFIX;
    const at = tags.indexOf(prefix);
    if (at >= 0) return weightInTags(at) * PREFIX;
    if (text.includes(prefix)) return textWeight * PREFIX;
    return (title.includes(`${token} `) ? TITLE : textWeight) * INFIX;
  };
  const termWeight = ({ tokens }: Term, ofTerm: readonly string[]) =>
    tokens.reduce((sum, token) => sum + wordWeight(token, ofTerm), 0) / tokens.length;

  let score = ATTENTION_WEIGHT * document.engagement;
  if (query.terms.length > 0) {
    let weight = 0;
    for (const [index, alternatives] of query.terms.entries())
      weight += Math.max(...alternatives.map((term) => termWeight(term, joins[index] ?? [])));
    score += (WORDS_WEIGHT * weight) / query.terms.length;
  }
  if (words.length > 0) {
    const phrase = ` ${words.join(" ")} `;
    if (isWholeTitle(document, words)) score += wholeTitle;
    else if (words.length > 1 && title.includes(phrase)) score += PHRASE_IN_TITLE;
    else if (words.length > 1 && text.includes(phrase)) score += PHRASE_IN_TEXT;
  }
  if (document.at > 0) score += 1 / (1 + Math.max(0, preferences.now - document.at) / (30 * DAY_S));
  if (preferences.language !== undefined && isSameLanguage(document.language, preferences.language)) score += 1.5;
  if (preferences.country !== undefined && document.country === preferences.country) score += 0.5;
  return score;
}

/** Where the tags end, and where the author's names end; the keywords follow. */
function endsOfParts(tags: string): [tags: number, names: number] {
  const endOfTags = tags.indexOf(PART_SEPARATOR);
  if (endOfTags < 0) return [tags.length, tags.length];
  const endOfNames = tags.indexOf(PART_SEPARATOR, endOfTags + 1);
  return [endOfTags, endOfNames < 0 ? tags.length : endOfNames];
}

const PART_SEPARATOR = ` ${TAGS_SEPARATOR} `;

/** People search them by name. */
const NAMED_KINDS: ReadonlySet<SearchKind> = new Set(["account", "hashtag", "sound", "place"]);

/** The query, with or without spaces, is the whole title or one of the names, or it is the whole caption. */
function isWholeTitle({ title, text }: FoundDocument, words: string[]): boolean {
  const query = words.join(" ");
  if (title === "") return text === query;
  const names = title.split(TITLE_SEPARATOR);
  return [query, joinWords(words) ?? query].some((form) => title === form || names.includes(form));
}

/** By primary language: a preference for `en` covers `en-GB`. */
function isSameLanguage(language: string | null, preferred: string): boolean {
  return language !== null && language.split("-")[0]?.toLowerCase() === preferred.split("-")[0]?.toLowerCase();
}
