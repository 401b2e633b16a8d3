/**
 * Marks: tokens beside a document's words that say something about it, such as its month. A word holds no colon and no
 * equals sign, so the two never meet. What a mark narrows down roughly (a day, a power of ten) is made exact by the
 * numbers that stand beside the document.
 */
import { DAY_S, toIsoDate } from "#domain/time.ts";
import { type Match, none } from "./match.ts";

/** The word stands in the title, the name or a hashtag. */
export const inTitle = (word: string) => `t:${word}`;
/** Neighbouring characters of a script whose words are not certain. */
export const gram = (characters: string) => `g:${characters}`;
/** The title or name is exactly these words. */
export const wholeTitle = (words: readonly string[]) => `=${words.join("·")}`;
export const author = (id: string) => `f:${digest(id)}`;
export const sound = (id: string) => `s:${digest(id)}`;
/** `en-GB` is English too. */
export const language = (code: string) => `l:${code.split(/[-_]/)[0]?.toLowerCase()}`;

const decade = (count: number) => Math.floor(Math.log10(Math.max(1, count)));
export const views = (count: number) => `v:${decade(count)}`;
export const likes = (count: number) => `k:${decade(count)}`;

/** Counts are safe integers, below this power of ten. */
const LARGEST_DECADE = 16;

export function atLeast(mark: typeof views, count: number): Match {
  const least = decade(count);
  return { any: Array.from({ length: LARGEST_DECADE - least + 1 }, (_, index) => mark(10 ** (least + index))) };
}

/** The end of the year 9999: later seconds are no dates. */
const END_OF_DATES = 253_402_300_800;

/** The day, the month and the year of publication; nothing when it is not known. */
export function dates(at: number): string[] {
  if (at <= 0 || at >= END_OF_DATES) return [];
  const day = dayDigits(at);
  return [`d:${day}`, `m:${day.slice(0, 6)}`, `y:${day.slice(0, 4)}`];
}

/** `2026-11`; null when the time is not known. */
export function monthOf(at: number): string | null {
  const [, month] = dates(at);
  return month === undefined ? null : `${month.slice(2, 6)}-${month.slice(6)}`;
}

/** The fewest dates that cover the seconds from `since` up to `until`: whole years, whole months, single days. */
export function between(since: number, until: number): Match {
  const marks: string[] = [];
  for (let at = since - (since % DAY_S); at < until;) {
    const digits = dayDigits(at);
    const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
    const nextYear = Date.UTC(Number(year) + 1, 0, 1) / 1000;
    const nextMonth = Date.UTC(Number(year), Number(month), 1) / 1000;
    if (month === "01" && day === "01" && nextYear <= until) {
      marks.push(`y:${year}`);
      at = nextYear;
    } else if (day === "01" && nextMonth <= until) {
      marks.push(`m:${year}${month}`);
      at = nextMonth;
    } else {
      marks.push(`d:${year}${month}${day}`);
      at += DAY_S;
    }
  }
  return marks.length === 0 ? none : { any: marks };
}

function dayDigits(at: number): string {
  return toIsoDate(at * 1000).replaceAll("-", "");
}

/** Ids differ in case and hold any character; engines fold case and cut at some. FNV-1a, twice, in 64 bits. */
function digest(id: string): string {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36).padStart(7, "0");
}
