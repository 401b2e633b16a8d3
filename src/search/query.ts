/**
 * Parses a search query: plain words, `"a phrase"`, `-not`, `OR`, `#tag`, `@mention` and `filter:value`. Operators that
 * cannot be read are ignored with a reason; other malformed syntax is plain text. docs/search.md is the user's guide.
 */
import type { Bounds } from "./match.ts";
import { tokenize, withFinalSigma } from "./tokens.ts";

/** The words between two spaces, or between quotes. */
export interface Term {
  /** As typed. */
  raw: string;
  tokens: string[];
  isPhrase: boolean;
  /** The last word may be unfinished, so it also matches as a prefix. */
  isPrefix: boolean;
}

export interface Query {
  /** All must match; of each, one of its alternatives. */
  terms: Term[][];
  not: Term[];
  filters: Filter[];
  bounds: Bounds;
  /** Parts that are not searched. */
  ignored: IgnoredTerm[];
}

export interface IgnoredTerm {
  /** As typed. */
  term: string;
  reason: string;
}

export interface Filter {
  name: "from" | "sound" | "lang";
  value: string;
  isQuoted: boolean;
  negated: boolean;
}

/** Of all terms together, exclusions included: bounds the cost of a query in any script. */
const MAX_TOKENS = 16;
/** Of `from:`, `sound:` and `lang:`; each costs a store look-up. */
const MAX_FILTERS = 8;

/** A quoted phrase or a run without spaces; either may start with a minus, the phrase also with a filter's name. */
const PART = /-?(?:[a-z_]+:)?"[^"]*"|\S+/giu;
const FILTER = /^(-?)(from|sound|lang|since|until|min_views|min_likes):(?:"([^"]*)"|([^\s"]+))$/iu;

/** A name, a colon and a value without a space between them, but no URL. A value may be left out. */
const OPERATOR = /^(-?)([a-z_]+):(?!\/\/)(?:"([^"]*)"|([^"]*))$/iu;

const DATES = "must be a year, month, day or time from 1970 on, such as 2026, 2026-01, 2026-01-31 or 2026-01-31T18:30";
const COUNTS = "must be a number such as 500, 10k or 2.5m";
/** Filters that take certain values only, with those. */
const CHECKED_FILTERS: Readonly<Record<string, string>> = {
  lang: "must be a language code such as pt or pt-BR",
  since: DATES,
  until: DATES,
  min_views: COUNTS,
  min_likes: COUNTS,
};
const AS_WORDS = "; quote it to search for its words";
/** Operators of other search boxes. A name with an underscore is an operator too; any other before a colon is text. */
const FOREIGN_OPERATORS = new Set(
  (
    "account after allintitle author before by channel comments country creator date duration filter followers group has " +
    "hashtag in intitle inurl is kind language likes limit location max mention mentions min month music near order " +
    "orderby page place platform region shares site size song sort sortby source tag title to type url user username " +
    "verified views within year"
  ).split(" "),
);

/** As typed into a search box: exclusions alone are words, since the minus was not meant as syntax. */
export function parseQuery(text: string): Query {
  const query = parseConditions(text);
  const { terms, not, filters, bounds } = query;
  const excludesOnly = terms.length === 0 && filters.every(({ negated }) => negated) && isUnbounded(bounds);
  return excludesOnly ? { ...query, terms: not.map((term) => [term]), not: [] } : query;
}

/** With exclusions as such, whatever else there is. */
export function parseConditions(text: string): Query {
  const query = emptyQuery();
  let isAlternative = false;
  let tokensLeft = MAX_TOKENS;
  const parts = text.match(PART) ?? [];
  parts.forEach((part, index) => {
    if (part === "OR" && query.terms.length > 0 && index < parts.length - 1) {
      isAlternative = true;
      return;
    }
    if (parseFilter(part, query)) return;
    const reason = whyIgnored(part);
    if (reason !== null) {
      query.ignored.push({ term: part, reason });
      return;
    }
    const negated = part.startsWith("-");
    let term = parseTerm(negated ? part.slice(1) : part, index === parts.length - 1 && !/\s$/u.test(text));
    if (term.tokens.length > tokensLeft) {
      query.ignored.push({ term: part, reason: `goes beyond the first ${MAX_TOKENS} words of a query` });
      term = { ...term, tokens: term.tokens.slice(0, tokensLeft), isPrefix: false };
    }
    if (term.tokens.length === 0) return;
    tokensLeft -= term.tokens.length;
    if (negated) query.not.push({ ...term, isPrefix: false });
    else if (isAlternative) query.terms.at(-1)?.push(term);
    else query.terms.push([term]);
    isAlternative = false;
  });
  return query;
}

function emptyQuery(): Query {
  return { terms: [], not: [], filters: [], bounds: {}, ignored: [] };
}

function isUnbounded(bounds: Bounds): boolean {
  return Object.values(bounds).every((bound) => bound === undefined);
}

function parseTerm(part: string, isLast: boolean): Term {
  const quoted = /^"([^"]*)"$/u.exec(part)?.[1];
  const tokens = tokenize(quoted ?? part).flatMap(({ tag, words }) =>
    tag === null || quoted !== undefined ? words : tag,
  );
  // A word may be unfinished; an emoji cannot.
  const isPrefix = isLast && /[\p{L}\p{N}\p{M}_]$/u.test(part);
  return { raw: part, tokens, isPhrase: quoted !== undefined && tokens.length > 1, isPrefix };
}

/** Returns false if the part is not a filter with a valid value. */
function parseFilter(part: string, query: Query): boolean {
  const [, minus = "", name = "", quoted, bare] = FILTER.exec(part) ?? [];
  const value = (quoted ?? bare ?? "").trim();
  const negated = minus !== "";
  const isQuoted = quoted !== undefined;
  if (value === "") return false;
  const filter = name.toLowerCase();
  switch (filter) {
    case "from":
    case "sound":
      addFilter(query, part, { name: filter, value, isQuoted, negated });
      return true;
    case "lang":
      if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/iu.test(value)) return false;
      addFilter(query, part, { name: "lang", value, isQuoted, negated });
      return true;
    case "since":
    case "until": {
      const second = parseDate(value);
      if (second === null || negated) return false;
      const { since, until } = query.bounds;
      if (filter === "since") query.bounds.since = Math.max(since ?? 0, second);
      else query.bounds.until = Math.min(until ?? Infinity, second);
      return true;
    }
    case "min_views":
    case "min_likes": {
      const count = parseCount(value);
      if (count === null || negated) return false;
      query.bounds[filter === "min_views" ? "minViews" : "minLikes"] = count;
      return true;
    }
    default:
      return false;
  }
}

/** Null if the part, which is no filter, is searched as text. */
function whyIgnored(part: string): string | null {
  const [, minus, typed = "", quoted, bare] = OPERATOR.exec(part) ?? [];
  const name = typed.toLowerCase();
  const values = CHECKED_FILTERS[name];
  if (values !== undefined) return (minus === "-" && name !== "lang" ? "cannot be negated" : values) + AS_WORDS;
  const isText = !FOREIGN_OPERATORS.has(name) && !name.includes("_");
  if (isText || (quoted ?? bare ?? "").trim() === "") return null;
  return `is not an operator; known are from:, sound:, lang:, since:, until:, min_views: and min_likes:${AS_WORDS}`;
}

function addFilter({ filters, ignored }: Query, part: string, filter: Filter): void {
  if (filters.length < MAX_FILTERS) filters.push(filter);
  else ignored.push({ term: part, reason: `goes beyond the first ${MAX_FILTERS} of from:, sound: and lang:` });
}

/** Parses `2026`, `2026-11`, `2026-11-15` or a time of day, in UTC unless it has an offset, to Unix seconds. */
function parseDate(text: string): number | null {
  if (!/^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/iu.test(text)) return null;
  const time = Date.parse(/T[\d:]+$/iu.test(text) ? `${text}Z` : text);
  if (Number.isNaN(time) || time < 0) return null;
  const day = text.slice(0, 10);
  // Date.parse accepts 30 February as a day in March, so compare with what was typed.
  return new Date(day).toISOString().startsWith(day) ? time / 1000 : null;
}

const MULTIPLIERS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** Parses `5000`, `5k`, `2.5m`. */
function parseCount(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?)([km]?)$/iu.exec(text) ?? [];
  if (number === undefined) return null;
  const count = Number(number) * (MULTIPLIERS[unit.toLowerCase()] ?? 1);
  // 2.007 * 1000 is slightly more than 2007.
  return Math.ceil(Number(count.toFixed(3)));
}

/** Replaces words of a query, keeping its syntax, its filters and what is ignored. */
export function respell(text: string, spellings: ReadonlyMap<string, string>): string {
  return text.replaceAll(PART, (part) => {
    if (parseFilter(part, emptyQuery()) || whyIgnored(part) !== null) return part;
    const tokens = tokenize(part);
    if (!tokens.some(({ tag, words }) => [tag ?? "", ...words].some((token) => spellings.has(token)))) return part;
    // A phrase within a phrase needs no quotes of its own.
    const isQuoted = part.includes('"');
    const spell = (word: string) => {
      const spelling = spellings.get(word) ?? word;
      return isQuoted ? spelling.replaceAll('"', "") : spelling;
    };
    const respelled = tokens.map(({ tag, words }) => (tag === null ? words.map(spell).join(" ") : spell(tag)));
    return (/^-?"?/u.exec(part)?.[0] ?? "") + withFinalSigma(respelled.join(" ")) + (/"$/u.exec(part)?.[0] ?? "");
  });
}
