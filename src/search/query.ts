/**
 * What a person typed, read. Plain words stay plain words; `"a phrase"`, `-not`, `OR`, `#tag`, `@mention` and
 * `filter:value` are understood, and whatever is not well-formed is searched as it stands. docs/search.md is for users.
 */
import type { Bounds } from "./match.ts";
import { tokenize } from "./tokens.ts";

/** Words that belong together: what stood between two spaces, or between quotes. */
export interface Term {
  /** As typed. */
  raw: string;
  tokens: string[];
  phrase: boolean;
  /** The last word as it was being typed: also the beginning of a longer one. */
  open: boolean;
}

export interface Query {
  /** All of these; of each, one of its alternatives. */
  terms: Term[][];
  not: Term[];
  filters: Filter[];
  bounds: Bounds;
}

export interface Filter {
  name: "from" | "sound" | "lang";
  value: string;
  negated: boolean;
}

/** Of all terms together, exclusions included: whatever script a query is in, it costs no more than so many words. */
const MAX_TOKENS = 16;
/** `from:`, `sound:` and `lang:`; each is looked up in the store. */
const MAX_FILTERS = 8;

/** A quoted phrase or a run without spaces; either may carry a minus, the former a filter's name. */
const PART = /-?(?:[a-z_]+:)?"[^"]*"|\S+/giu;
const FILTER = /^(-?)(from|sound|lang|since|until|min_views|min_likes):(?:"([^"]*)"|(\S+))$/iu;

export function parseQuery(text: string): Query {
  const query: Query = { terms: [], not: [], filters: [], bounds: {} };
  let either = false;
  let tokensLeft = MAX_TOKENS;
  const parts = text.match(PART) ?? [];
  parts.forEach((part, index) => {
    if (part === "OR" && query.terms.length > 0 && index < parts.length - 1) {
      either = true;
      return;
    }
    if (readFilter(part, query)) return;
    const negated = part.length > 1 && part.startsWith("-");
    const term = termOf(negated ? part.slice(1) : part, index === parts.length - 1 && !/\s$/u.test(text));
    if (term.tokens.length > tokensLeft) Object.assign(term, { tokens: term.tokens.slice(0, tokensLeft), open: false });
    if (term.tokens.length === 0) return;
    tokensLeft -= term.tokens.length;
    if (negated) query.not.push({ ...term, open: false });
    else if (either) query.terms.at(-1)?.push(term);
    else query.terms.push([term]);
    either = false;
  });
  // Nothing but exclusions: the minus was no syntax.
  if (query.terms.length === 0 && query.filters.every(({ negated }) => negated) && noBounds(query.bounds)) {
    query.terms = query.not.map((term) => [term]);
    query.not = [];
  }
  return query;
}

function noBounds(bounds: Bounds): boolean {
  return Object.values(bounds).every((bound) => bound === undefined);
}

function termOf(part: string, last: boolean): Term {
  const quoted = /^"([^"]*)"$/u.exec(part)?.[1];
  const tokens = tokenize(quoted ?? part).flatMap(({ tag, words }) =>
    tag === null || quoted !== undefined ? words : tag,
  );
  // An emoji is whole as it is; of a word, more may come.
  const open = last && quoted === undefined && /[\p{L}\p{N}\p{M}_]$/u.test(part);
  return { raw: part, tokens, phrase: quoted !== undefined && tokens.length > 1, open };
}

/** Whether the part was a filter with a value that makes sense. */
function readFilter(part: string, query: Query): boolean {
  const [, minus = "", name = "", quoted, bare] = FILTER.exec(part) ?? [];
  const value = (quoted ?? bare ?? "").trim();
  const negated = minus !== "";
  if (value === "") return false;
  switch (name.toLowerCase()) {
    case "from":
    case "sound":
      addFilter(query, { name: name.toLowerCase() as "from" | "sound", value, negated });
      return true;
    case "lang":
      if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/iu.test(value)) return false;
      addFilter(query, { name: "lang", value, negated });
      return true;
    case "since":
    case "until": {
      const second = dateOf(value);
      if (second === null || negated) return false;
      const { since, until } = query.bounds;
      if (name.toLowerCase() === "since") query.bounds.since = Math.max(since ?? 0, second);
      else query.bounds.until = Math.min(until ?? Infinity, second);
      return true;
    }
    case "min_views":
    case "min_likes": {
      const count = countOf(value);
      if (count === null || negated) return false;
      query.bounds[name.toLowerCase() === "min_views" ? "minViews" : "minLikes"] = count;
      return true;
    }
    default:
      return false;
  }
}

function addFilter({ filters }: Query, filter: Filter): void {
  if (filters.length < MAX_FILTERS) filters.push(filter);
}

/** `2026`, `2026-11`, `2026-11-15` or a time with it, in UTC unless it says otherwise; Unix seconds. */
function dateOf(text: string): number | null {
  if (!/^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/iu.test(text)) return null;
  const time = Date.parse(/T[\d:]+$/iu.test(text) ? `${text}Z` : text);
  return Number.isNaN(time) || time < 0 ? null : time / 1000;
}

/** `5000`, `5k`, `2.5m`. */
function countOf(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?)([km]?)$/iu.exec(text) ?? [];
  if (number === undefined) return null;
  return Math.ceil(Number(number) * { "": 1, k: 1_000, m: 1_000_000 }[unit.toLowerCase() as "" | "k" | "m"]);
}

/** The same query with some words written otherwise. */
export function respell(text: string, spellings: ReadonlyMap<string, string>): string {
  return text.replaceAll(PART, (part) => {
    const found = tokenize(part);
    if (!found.some(({ tag, words }) => [tag ?? "", ...words].some((token) => spellings.has(token)))) return part;
    const written = found.map(({ tag, words }) =>
      tag === null ? words.map((word) => spellings.get(word) ?? word).join(" ") : (spellings.get(tag) ?? tag),
    );
    return (/^-?"?/u.exec(part)?.[0] ?? "") + written.join(" ") + (/"$/u.exec(part)?.[0] ?? "");
  });
}
