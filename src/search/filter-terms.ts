/**
 * Filter terms: synthetic tokens in the index that describe a document, such as its month. Words contain no colon and
 * no equals sign, so they cannot collide. A term is coarse (a day, a power of ten); the numbers stored with the document
 * make the filter exact.
 */
import { canonicalLanguage } from "#domain/language.ts";
import { DAY_S } from "#domain/time.ts";
import { type Match, NO_MATCH } from "./match.ts";

/** The word occurs in the title, the name or a hashtag. */
export const inTitle = (word: string) => `t:${word}`;
/** Neighbouring characters of a script without certain word boundaries. */
export const ngram = (characters: string) => `g:${characters}`;
/** The title or name consists of exactly these words. */
export const wholeTitle = (words: readonly string[]) => `=${words.join("·")}`;
export const author = (id: string) => `f:${digest(id)}`;
export const sound = (id: string) => `s:${digest(id)}`;

/** Whether a record has it by its fields alone, whatever its words are. */
export function isFieldTerm(token: string): boolean {
  return token[1] === ":" && !token.startsWith("t") && !token.startsWith("g");
}

/** A script, a region and a variant; no language has more that matter. */
const MAX_SUBTAGS = 3;
const SUBTAG = /^[a-z0-9]{1,8}$/;

/** The language alone, then with each subtag that follows: `pt-BR` counts as `pt` and as `pt-br`, and so does `por-BR`. */
export function languages(code: string): [string, ...string[]] {
  const [primary = "", ...subtags] = canonicalLanguage(code)
    .toLowerCase()
    .split("-", 1 + MAX_SUBTAGS);
  const terms: [string, ...string[]] = [`l:${primary}`];
  for (const subtag of subtags) {
    if (!SUBTAG.test(subtag)) break;
    terms.push(`${terms.at(-1)}-${subtag}`);
  }
  return terms;
}

const decade = (count: number) => Math.floor(Math.log10(Math.max(1, count)));
export const views = (count: number) => `v:${decade(count)}`;
export const likes = (count: number) => `k:${decade(count)}`;

/** Counts are safe integers, below this power of ten. */
const LARGEST_DECADE = 16;

export function atLeast(termOf: typeof views, count: number): Match {
  const least = decade(count);
  return { any: Array.from({ length: LARGEST_DECADE - least + 1 }, (_, index) => termOf(10 ** (least + index))) };
}

/** The end of the year 9999, the last with four digits. */
const END_OF_DATES = 253_402_300_800;

/** Day, month and year of publication; empty if unknown. */
export function dates(at: number): string[] {
  if (at <= 0 || at >= END_OF_DATES) return [];
  const day = formatDay(at);
  return [`d:${day}`, `m:${day.slice(0, 6)}`, `y:${day.slice(0, 4)}`];
}

/** `2026-11`; null if unknown. */
export function monthOf(at: number): string | null {
  const [, month] = dates(at);
  return month === undefined ? null : `${month.slice(2, 6)}-${month.slice(6)}`;
}

/** The fewest date terms that cover `since` to `until` (Unix seconds): whole years, whole months, single days. */
export function between(since: number, until: number): Match {
  const terms: string[] = [];
  for (let at = since - (since % DAY_S); at < until;) {
    const digits = formatDay(at);
    const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
    const nextYear = Date.UTC(Number(year) + 1, 0, 1) / 1000;
    const nextMonth = Date.UTC(Number(year), Number(month), 1) / 1000;
    if (month === "01" && day === "01" && nextYear <= until) {
      terms.push(`y:${year}`);
      at = nextYear;
    } else if (day === "01" && nextMonth <= until) {
      terms.push(`m:${year}${month}`);
      at = nextMonth;
    } else {
      terms.push(`d:${year}${month}${day}`);
      at += DAY_S;
    }
  }
  return terms.length === 0 ? NO_MATCH : { any: terms };
}

/** YYYYMMDD. Every post and comment has one: its numbers take an eighth of the time of an ISO time. */
function formatDay(at: number): string {
  const day = new Date(at * 1000);
  const digits = (day.getUTCFullYear() * 100 + day.getUTCMonth() + 1) * 100 + day.getUTCDate();
  return String(digits).padStart(8, "0");
}

/** Ids are case-sensitive and may contain any character, but engines fold case and split at some. FNV-1a, twice, in 64 bits. */
function digest(id: string): string {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36).padStart(7, "0");
}
