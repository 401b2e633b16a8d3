/**
 * Translates a query to index matches, by strategies from strict to broad. Whatever a strict one finds, the broader ones
 * find too, unless the limit of candidates is reached.
 */
import * as filterTerms from "./filter-terms.ts";
import { allOf, type Bounds, isImpossible, type Match, NO_MATCH } from "./match.ts";
import type { Query, Term } from "./query.ts";
import { listCoveringNgrams, tokenize } from "./tokens.ts";

/** A query whose filters were looked up in the store. */
export interface ResolvedQuery {
  query: Query;
  /** Filter terms of `from:`, `sound:`, `lang:`, dates and counts. */
  required: Match[];
  excluded: Match[];
}

type TermMatcher = (term: Term) => Match;

/** Every word as typed; two to four words also joined as one hashtag. */
export function byWords(resolved: ResolvedQuery): Match {
  const words = plainWords(resolved.query);
  const isPlain = resolved.query.terms.flat().every(({ isPhrase, tokens }) => !isPhrase && !tokens.some(isTag));
  if (!isPlain || words.length < 2 || words.length > MAX_HASHTAG_WORDS) return matchTerms(resolved, matchExactly);
  return applyFilters(resolved, [{ any: [{ all: words.map(withOrWithoutArticle) }, `#${words.join("")}`] }]);
}

const MAX_HASHTAG_WORDS = 4;

/** Every word in the title, the name or a hashtag. */
export function byTitle(resolved: ResolvedQuery): Match {
  return matchTerms(resolved, (term) => {
    const inTitle = term.tokens.map((token) => (isTag(token) ? token : filterTerms.inTitle(token)));
    return term.isPhrase ? allOf(...inTitle, matchExactly(term)) : allOf(...inTitle);
  });
}

/** The query is the whole title. */
export function byWholeTitle(resolved: ResolvedQuery): Match {
  const words = plainWords(resolved.query);
  return words.length === 0 ? NO_MATCH : applyFilters(resolved, [filterTerms.wholeTitle(words)]);
}

/** Also matches the completions of the last word. */
export function byPrefix(resolved: ResolvedQuery, completions: readonly string[]): Match {
  return completions.length === 0 ? NO_MATCH : matchTerms(resolved, (term) => matchPrefix(term, completions));
}

function matchPrefix(term: Term, completions: readonly string[]): Match {
  if (!term.isPrefix) return matchExactly(term);
  return allOf(...term.tokens.slice(0, -1), { any: [...term.tokens.slice(-1), ...completions] });
}

/** Of all terms together; each has an equal share. */
const MAX_NGRAMS = 32;

/** Terms without certain word boundaries by their n-grams; the last word as in `byPrefix`. */
export function byNgrams(resolved: ResolvedQuery, completions: readonly string[]): Match {
  let hasNgrams = false;
  const share = Math.floor(MAX_NGRAMS / Math.max(1, resolved.query.terms.flat().length));
  const match = matchTerms(resolved, (term) => {
    const ngrams = tokenize(term.raw).flatMap(({ whole }) => listCoveringNgrams(whole));
    if (ngrams.length === 0) return matchPrefix(term, completions);
    hasNgrams = true;
    return allOf(...ngrams.slice(0, share).map(filterTerms.ngram));
  });
  return hasNgrams ? match : NO_MATCH;
}

/** The unfinished last word; null if there is none. */
export function prefixOf({ terms }: Query): string | null {
  const last = terms.flat().find((term) => term.isPrefix);
  return last?.tokens.at(-1) ?? null;
}

/** The words of a query that consists of words only; empty for any other. */
export function plainWords({ terms, not }: Query): string[] {
  if (not.length > 0 || terms.some((alternatives) => alternatives.length > 1)) return [];
  return terms.flatMap(([term]) => (term as Term).tokens.map((token) => token.replace(/^[#@]/u, "")));
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
  return isPhrase ? { phrase: tokens } : allOf(...tokens.map(withOrWithoutArticle));
}

/** Arabic joins the article to the word. */
function withOrWithoutArticle(token: string): Match {
  return /^\u0627\u0644.{3}/u.test(token)
    ? { any: [token, token.slice(2)] }
    : /^[\u0620-\u06ff]{3}/u.test(token)
      ? { any: [token, `\u0627\u0644${token}`] }
      : token;
}

function isTag(token: string): boolean {
  return token[0] === "#" || token[0] === "@";
}

function matchTerms(resolved: ResolvedQuery, matchTerm: TermMatcher): Match {
  const terms = resolved.query.terms.map((alternatives) =>
    alternatives.length === 1 ? matchTerm(alternatives[0] as Term) : { any: alternatives.map(matchTerm) },
  );
  return applyFilters(resolved, terms);
}

function applyFilters({ query, required, excluded }: ResolvedQuery, terms: Match[]): Match {
  const conditions = [...terms, ...required];
  if (conditions.length === 0 || conditions.some(isImpossible)) return NO_MATCH;
  const not = [...query.not.map(matchExactly), ...excluded];
  return not.length === 0 ? allOf(...conditions) : { match: allOf(...conditions), not: { any: not } };
}
