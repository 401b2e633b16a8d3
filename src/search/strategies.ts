/**
 * Translates a query to index matches, by strategies from strict to broad. Whatever a strict one finds, the broader ones
 * find too, unless the limit of candidates is reached.
 */
import type { FoundDocument } from "./engine.ts";
import * as filterTerms from "./filter-terms.ts";
import { allOf, anyOf, type Bounds, isImpossible, type Match, NO_MATCH } from "./match.ts";
import { uniqueBy } from "#domain/unique-by.ts";
import type { Query, Term } from "./query.ts";
import { isEnding } from "./word-endings.ts";
import { foldKana, hasNgramRun, listCoveringNgrams, listVariants, tokenize } from "./tokens.ts";

/** A query whose filters were looked up in the store. */
export interface ResolvedQuery {
  query: Query;
  /** Filter terms of `from:`, `sound:`, `lang:`, dates and counts. */
  required: Match[];
  excluded: Match[];
  /** Whether every account and sound was looked up that a filter names. */
  hasAllNames: boolean;
}

type TermMatcher = (term: Term, joins: readonly string[]) => Match;

/** Every word as typed. */
export function byWords(resolved: ResolvedQuery): Match {
  return matchTerms(resolved, matchExactly, (join) => join);
}

/**
 * Names, hashtags and compounds are written as one: `marks and spencer` as `marksandspencer`. Each join is looked up in every
 * partition, so longer queries have none.
 */
const MAX_JOINED_WORDS = 4;

/** For each term the words that it makes with its neighbours, and its own words with each other. */
export function listJoins({ terms }: Query): string[][] {
  const joins = terms.map((): string[] => []);
  if (terms.length > MAX_JOINED_WORDS) return joins;
  for (const start of terms.keys()) {
    let [join, words] = ["", 0];
    for (const [end, [term, ...others]] of terms.entries()) {
      if (end < start) continue;
      if (term === undefined || others.length > 0 || term.isPhrase || term.tokens.some(isTag)) break;
      join += term.tokens.join("");
      words += term.tokens.length;
      if (words > MAX_JOINED_WORDS) break;
      if (words > 1) for (let at = start; at <= end; at++) joins[at]?.push(join);
    }
  }
  return joins;
}

/** The words of a query as one; null if they are too few or too many. */
export function joinWords(words: readonly string[]): string | null {
  return words.length > 1 && words.length <= MAX_JOINED_WORDS ? words.join("") : null;
}

/** What is excluded, if the query says nothing else; null if it does. */
export function onlyExclusions(resolved: ResolvedQuery): Match | null {
  const excluded = matchExcluded(resolved);
  const isOnly = resolved.query.terms.length === 0 && resolved.required.length === 0;
  return isOnly && !isImpossible(excluded) ? excluded : null;
}

/** Every word in the title, the name or a hashtag. */
export function byTitle(resolved: ResolvedQuery): Match {
  const matchInTitle = (term: Term) => {
    const inTitle = term.tokens.map((token) => (isTag(token) ? token : filterTerms.inTitle(token)));
    return term.isPhrase ? allOf(...inTitle, matchExactly(term)) : allOf(...inTitle);
  };
  return matchTerms(resolved, matchInTitle, filterTerms.inTitle);
}

/** The query is the whole title. */
export function byWholeTitle(resolved: ResolvedQuery): Match {
  const words = plainWords(resolved.query);
  if (words.length === 0) return NO_MATCH;
  const join = joinWords(words);
  const titles = [words, ...(join === null ? [] : [[join]])].map(filterTerms.wholeTitle);
  return applyFilters(resolved, [anyOf(titles)]);
}

/** Words of the store that a word of the query may stand for. */
export interface WordForms {
  /** Longer words that begin like the unfinished last word. */
  completions: readonly string[];
  /** Longer words that end like a word: compounds, which some languages write as one. */
  endings: ReadonlyMap<string, readonly string[]>;
  /** Whether the store has no others. */
  isComplete: boolean;
  /** Number of documents that contain them, each form counted for itself. */
  docs: number;
}

export const NO_FORMS: WordForms = { completions: [], endings: new Map(), isComplete: true, docs: 0 };

/** Also matches the completions of the last word, and compounds that end with a word. */
export function byForms(resolved: ResolvedQuery, forms: WordForms): Match {
  const hasForms = forms.completions.length > 0 || forms.endings.size > 0;
  return hasForms ? matchTerms(resolved, (term) => matchForms(term, forms)) : NO_MATCH;
}

function matchForms(term: Term, { completions, endings }: WordForms): Match {
  if (term.isPhrase) return matchExactly(term);
  const matches = term.tokens.map((token, index): Match => {
    const longer = term.isPrefix && index === term.tokens.length - 1 ? completions : [];
    const forms = [...listVariants(token), ...longer, ...(endings.get(token) ?? [])];
    return forms.length === 1 ? token : { any: [...new Set(forms)] };
  });
  return allOf(...matches);
}

/** An account that has a word of the query in its names. */
export interface NamedAuthor {
  id: string;
  /** Its names as in a search document. */
  title: string;
}

/** Also matches posts whose author has a word in its current names, whatever they were when the post was captured. */
export function byAuthors(resolved: ResolvedQuery, authors: readonly NamedAuthor[]): Match {
  let hasAuthors = false;
  const match = matchTerms(resolved, (term, joins) => {
    const named = authors.filter((author) =>
      [term.tokens, ...joins.map((join) => [join])].some((words) => hasName(author, words)),
    );
    if (named.length === 0) return matchExactly(term);
    hasAuthors = true;
    return { any: [matchExactly(term), ...named.map(({ id }) => filterTerms.author(id))] };
  });
  return hasAuthors ? match : NO_MATCH;
}

function hasName({ title }: NamedAuthor, words: readonly string[]): boolean {
  return ` ${title} `.includes(` ${words.join(" ")} `);
}

/** Accounts that may be authors: those with any word of the query in their names. */
export function byName(query: Query): Match {
  const words = [...query.terms.flat().flatMap(({ tokens }) => tokens), ...listJoins(query).flat()];
  return { any: [...new Set(words.filter((word) => !isTag(word)))].map(filterTerms.inTitle) };
}

/** The words whose endings are looked up: only Latin letters, and enough of them to mean something. */
export function wordsWithEndings({ terms }: Query): string[] {
  const words = terms.flat().flatMap(({ tokens, isPhrase }) => (isPhrase ? [] : tokens));
  return [...new Set(words)].filter(isEnding).slice(0, MAX_WORDS_WITH_ENDINGS);
}

const MAX_WORDS_WITH_ENDINGS = 3;

/** Of all terms together; each has an equal share. */
const MAX_NGRAMS = 32;

/** Text without certain word boundaries by its n-grams; all other words, and hashtags and mentions, as in `byForms`. */
export function byNgrams(resolved: ResolvedQuery, forms: WordForms): Match {
  let hasNgrams = false;
  const share = Math.floor(MAX_NGRAMS / Math.max(1, resolved.query.terms.flat().length));
  const match = matchTerms(resolved, (term) => {
    const ngrams = listTermNgrams(term);
    if (ngrams.length === 0) return matchForms(term, forms);
    hasNgrams = true;
    const tokens = term.tokens.filter((token) => !hasNgramRun(token));
    const isPrefix = term.isPrefix && tokens.at(-1) === term.tokens.at(-1);
    const words = tokens.length === 0 ? [] : [matchForms({ ...term, tokens, isPrefix, isPhrase: false }, forms)];
    return allOf(...words, ...ngrams.slice(0, share).map(filterTerms.ngram));
  });
  return hasNgrams ? match : NO_MATCH;
}

function listTermNgrams({ raw, tokens }: Term): string[] {
  return tokens.some(isTag) ? [] : tokenize(raw).flatMap(({ whole }) => listCoveringNgrams(whole));
}

/**
 * The phrases that `byNgrams` matches without their order, as letters without spaces; of each the alternatives. Those that
 * have other alternatives are left out.
 */
export function listUnorderedPhrases({ terms }: Query): string[][] {
  return terms
    .filter((alternatives) => alternatives.every((term) => term.isPhrase && listTermNgrams(term).length > 0))
    .map((alternatives) => alternatives.map(({ tokens }) => foldKana(tokens.join(""))));
}

/** Whether a document that was found by n-grams has the phrases letter by letter. */
export function hasPhrases(
  phrases: readonly string[][],
  { title, tags, text }: Pick<FoundDocument, "title" | "tags" | "text">,
): boolean {
  const fields = [title, tags, text].map((field) => foldKana(field.replaceAll(" ", "")));
  return phrases.every((alternatives) => alternatives.some((phrase) => fields.some((field) => field.includes(phrase))));
}

/** A part of a query that a record may lack while it has others: a word, a phrase, or alternatives. */
export interface Unit {
  match: Match;
  /** All forms of its words in the index; of each alternative, the words that it needs. */
  forms: string[][][];
  phrases: readonly (readonly string[] | null)[];
}

/** Each part once. */
export function listUnits({ terms }: Query): Unit[] {
  const toUnit = (alternatives: readonly Term[]): Unit => ({
    match: anyOf(alternatives.map(matchExactly)),
    forms: alternatives.map(({ tokens }) => tokens.map(listVariants)),
    phrases: alternatives.map(({ isPhrase, tokens }) => (isPhrase ? tokens : null)),
  });
  const units = terms.flatMap((alternatives) => {
    const [term, ...others] = alternatives;
    const isWords = term !== undefined && others.length === 0 && !term.isPhrase;
    return isWords ? term.tokens.map((token) => toUnit([{ ...term, tokens: [token] }])) : [toUnit(alternatives)];
  });
  return uniqueBy(units, ({ match }) => JSON.stringify(match));
}

/** Whether the document has the words of the unit, with all its text read. */
export function hasUnit({ forms, phrases }: Unit, fields: readonly string[]): boolean {
  return forms.some((words, index) => {
    const phrase = phrases[index] ?? null;
    if (phrase !== null) return fields.some((field) => field.includes(` ${phrase.join(" ")} `));
    return words.every((variants) => variants.some((word) => fields.some((field) => field.includes(` ${word} `))));
  });
}

/** Rare units that are combined. An index looks up each occurrence of a word: three of five have 19. */
const MAX_COMBINED = 5;

/**
 * Matches with some of the units, from strict to broad, each with the units of which a matching record has one. `units` are
 * from the rarest to the most common.
 */
export function bySome(resolved: ResolvedQuery, units: readonly Unit[]): { match: Match; needed: readonly Unit[] }[] {
  const rarest = units.slice(0, MAX_COMBINED);
  const wanted = [
    { among: rarest, size: Math.ceil(0.6 * rarest.length) },
    { among: rarest.slice(0, 4), size: 2 },
    { among: rarest.slice(0, 2), size: 1 },
    { among: rarest, size: 1 },
  ].filter(({ among, size }) => size <= among.length);
  return uniqueBy(wanted, ({ among, size }) => `${among.length} ${size}`).map(({ among, size }) => ({
    match: applyFilters(resolved, [
      atLeast(
        size,
        among.map(({ match }) => match),
      ),
    ]),
    needed: among.slice(0, among.length - size + 1),
  }));
}

/** Any `size` of the matches. */
function atLeast(size: number, matches: readonly Match[]): Match {
  const [first, ...rest] = matches;
  if (first === undefined || size === matches.length) return allOf(...matches);
  if (size === 1) return { any: matches };
  return { any: [allOf(first, atLeast(size - 1, rest)), atLeast(size, rest)] };
}

/** The unfinished last word; null if there is none. */
export function prefixOf({ terms }: Query): string | null {
  const last = terms.flat().find((term) => term.isPrefix);
  return last?.tokens.at(-1) ?? null;
}

/** The words of a query that consists of words only; empty for any other. */
export function plainWords({ terms, not }: Query): string[] {
  if (not.length > 0 || terms.some((alternatives) => alternatives.length > 1)) return [];
  return terms.flat().flatMap(({ tokens }) => tokens.map((token) => token.replace(/^[#@]/u, "")));
}

export function boundsMatch({ since, until, minViews, minLikes }: Bounds): Match[] {
  const [from, to] = [Math.max(since ?? EARLIEST, EARLIEST), Math.min(until ?? LATEST, LATEST)];
  return [
    ...(since === undefined && until === undefined ? [] : [filterTerms.between(from, to)]),
    ...(minViews === undefined ? [] : [filterTerms.atLeast(filterTerms.views, minViews)]),
    ...(minLikes === undefined ? [] : [filterTerms.atLeast(filterTerms.likes, minLikes)]),
  ];
}

/** Nothing on these platforms is older or later, so wider windows are cut to this one. */
const EARLIEST = Date.UTC(2000, 0, 1) / 1000;
const LATEST = Date.UTC(2050, 0, 1) / 1000;

function matchExactly({ tokens, isPhrase }: Term): Match {
  return isPhrase ? { phrase: tokens } : allOf(...tokens.map(matchToken));
}

function matchToken(token: string): Match {
  return anyOf(listVariants(token));
}

function isTag(token: string): boolean {
  return token[0] === "#" || token[0] === "@";
}

/** `joinMatch` is how words match that a term makes with its neighbours; without it they do not. */
function matchTerms(resolved: ResolvedQuery, matchTerm: TermMatcher, joinMatch?: (join: string) => Match): Match {
  const joins = listJoins(resolved.query);
  const terms = resolved.query.terms.map((alternatives, index): Match => {
    const ofTerm = joins[index] ?? [];
    const matches = [
      ...alternatives.map((term) => matchTerm(term, ofTerm)),
      ...(joinMatch === undefined ? [] : ofTerm.map(joinMatch)),
    ];
    return anyOf(matches);
  });
  return applyFilters(resolved, terms);
}

function applyFilters({ query, required, excluded }: ResolvedQuery, terms: Match[]): Match {
  const conditions = [...terms, ...required];
  if (conditions.length === 0 || conditions.some(isImpossible)) return NO_MATCH;
  const not = matchExcluded({ query, excluded });
  return isImpossible(not) ? allOf(...conditions) : { match: allOf(...conditions), not };
}

function matchExcluded({ query, excluded }: Pick<ResolvedQuery, "query" | "excluded">): Match {
  return { any: [...query.not.map(matchExactly), ...excluded] };
}
