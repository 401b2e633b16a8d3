/**
 * A query as what the index is asked for. Several ways to ask, from strict to generous: a document that one finds the
 * generous ones find too, unless there are more matches than are looked at.
 */
import * as marks from "./filter-terms.ts";
import { both, type Bounds, isImpossible, type Match, none } from "./match.ts";
import type { Query, Term } from "./query.ts";
import { coveringGrams, tokenize } from "./tokens.ts";

/** What the words of a query need from the store before it can be asked. */
export interface ResolvedQuery {
  query: Query;
  /** Marks of `from:`, `sound:` and `lang:`, of dates and counts. */
  required: Match[];
  excluded: Match[];
}

type Ask = (term: Term) => Match;

/** Every word as it was typed; a few of them also as the one hashtag that people make of them. */
export function byWords(resolved: ResolvedQuery): Match {
  const words = wordsOf(resolved.query);
  const plain = resolved.query.terms.flat().every(({ phrase, tokens }) => !phrase && !tokens.some(isTag));
  if (!plain || words.length < 2 || words.length > MOST_IN_A_HASHTAG) return assemble(resolved, exactly);
  return narrow(resolved, [{ any: [{ all: words.map(withoutArticle) }, `#${words.join("")}`] }]);
}

const MOST_IN_A_HASHTAG = 4;

/** Every word in the title, the name or a hashtag. */
export function byTitle(resolved: ResolvedQuery): Match {
  return assemble(resolved, (term) => {
    const inTitle = term.tokens.map((token) => (isTag(token) ? token : marks.inTitle(token)));
    return term.phrase ? both(...inTitle, exactly(term)) : both(...inTitle);
  });
}

/** The title is the query. */
export function byWholeTitle(resolved: ResolvedQuery): Match {
  const words = wordsOf(resolved.query);
  return words.length === 0 ? none : narrow(resolved, [marks.wholeTitle(words)]);
}

/** The last word also as the beginning of these longer ones. */
export function byPrefix(resolved: ResolvedQuery, longer: readonly string[]): Match {
  return longer.length === 0 ? none : assemble(resolved, (term) => begun(term, longer));
}

function begun(term: Term, longer: readonly string[]): Match {
  if (!term.open) return exactly(term);
  return both(...term.tokens.slice(0, -1), { any: [...term.tokens.slice(-1), ...longer] });
}

/** All terms together; what a long run of characters holds beyond its share is not looked up. */
const MAX_GRAMS = 32;

/** Where words are not certain, by neighbouring characters; the last word as above. */
export function byNgrams(resolved: ResolvedQuery, longer: readonly string[]): Match {
  let any = false;
  const share = Math.floor(MAX_GRAMS / Math.max(1, resolved.query.terms.flat().length));
  const match = assemble(resolved, (term) => {
    const grams = tokenize(term.raw).flatMap(({ whole }) => coveringGrams(whole));
    if (grams.length === 0) return begun(term, longer);
    any = true;
    return both(...grams.slice(0, share).map(marks.gram));
  });
  return any ? match : none;
}

/** The beginning that the last word may be of longer ones; null when there is none. */
export function openWord({ terms }: Query): string | null {
  const open = terms.flat().find((term) => term.open);
  return open?.tokens.at(-1) ?? null;
}

/** The plain words of a query that is nothing but words. */
export function wordsOf({ terms, not }: Query): string[] {
  if (not.length > 0 || terms.some((alternatives) => alternatives.length > 1)) return [];
  return terms.flatMap(([term]) => (term as Term).tokens.map((token) => token.replace(/^[#@]/u, "")));
}

export function boundsMatch({ since, until, minViews, minLikes }: Bounds): Match[] {
  const [from, to] = [Math.max(since ?? EARLIEST, EARLIEST), Math.min(until ?? LATEST, LATEST)];
  return [
    ...(since === undefined && until === undefined ? [] : [marks.between(from, to)]),
    ...(minViews === undefined ? [] : [marks.atLeast(marks.views, minViews)]),
    ...(minLikes === undefined ? [] : [marks.atLeast(marks.likes, minLikes)]),
  ];
}

/** Nothing on these platforms is older than this, or announced for later than that: no window is wider. */
const EARLIEST = Date.UTC(2000, 0, 1) / 1000;
const LATEST = Date.UTC(2050, 0, 1) / 1000;

function exactly({ tokens, phrase }: Term): Match {
  return phrase ? { phrase: tokens } : both(...tokens.map(withoutArticle));
}

/** Arabic writes its article and the word as one. */
function withoutArticle(token: string): Match {
  return /^\u0627\u0644.{3}/u.test(token)
    ? { any: [token, token.slice(2)] }
    : /^[\u0620-\u06ff]{3}/u.test(token)
      ? { any: [token, `\u0627\u0644${token}`] }
      : token;
}

function isTag(token: string): boolean {
  return token[0] === "#" || token[0] === "@";
}

function assemble(resolved: ResolvedQuery, ask: Ask): Match {
  const terms = resolved.query.terms.map((alternatives) =>
    alternatives.length === 1 ? ask(alternatives[0] as Term) : { any: alternatives.map(ask) },
  );
  return narrow(resolved, terms);
}

function narrow({ query, required, excluded }: ResolvedQuery, terms: Match[]): Match {
  const wanted = [...terms, ...required];
  if (wanted.length === 0 || wanted.some(isImpossible)) return none;
  const not = [...query.not.map(exactly), ...excluded];
  return not.length === 0 ? both(...wanted) : { match: both(...wanted), not: { any: not } };
}
