/**
 * The words that the tables use for a value's type, and what each demands of a value. A word is stricter than its JSON
 * type wherever the contract says how a value is written. Texts that are made from a stored value may be empty, which
 * is how a value that is not known looks; digits may not, since there the unknown is "0".
 */

type Meets = (value: unknown, language: string) => boolean;

const RELATIVE_ENGLISH =
  /^(Streamed )?((\d+|\d{1,3}(,\d{3})+) (second|minute|hour|day|week|month|quarter|year)s? ago|now|today|yesterday|(this|last) (minute|hour|week|month|quarter|year))$/;
const ABBREVIATED_ENGLISH = /^(\d{1,3}|\d{1,3}(\.\d{1,2})?[KMBT])$/;
const CLOCK = /^([1-5]?\d:[0-5]\d|[1-9]\d*:[0-5]\d:[0-5]\d)$/;

/** Unix seconds stay below it until the year 5138; Unix milliseconds passed it in 1973. */
const BETWEEN_SECONDS_AND_MILLISECONDS = 1e11;

const PLAIN = {
  string: isText,
  boolean: (value) => typeof value === "boolean",
  integer: isInteger,
  number: (value) => typeof value === "number" && Number.isFinite(value),
  /** The status field of an answer that succeeded. */
  zero: (value) => value === 0,
  "the text OK": (value) => value === "OK",
  "unix seconds": (value) => isInteger(value) && value >= 0 && value < BETWEEN_SECONDS_AND_MILLISECONDS,
  "unix milliseconds": (value) => isInteger(value) && value >= BETWEEN_SECONDS_AND_MILLISECONDS,
  /** No sign: a count below zero is some tool's mark for "hidden" that was taken for a number. */
  digits: (value) => isText(value) && /^(0|[1-9]\d*)$/.test(value),
  url: (value) => isText(value) && (value === "" || isWebAddress(value)),
  "upper case": (value) => isText(value) && value === value.toUpperCase(),
  date: (value) => isText(value) && (value === "" || isCalendarDay(value)),
  clock: (value) => isText(value) && (value === "" || CLOCK.test(value)),
  relative: (value, language) => isText(value) && (value === "" || isRelative(value, language)),
  abbreviated: (value, language) => isText(value) && (value === "" || isAbbreviated(value, language)),
  "boolean word": (value) => isText(value) && /^(true|false)$/i.test(value),
  array: (value) => Array.isArray(value),
  "empty array": (value) => Array.isArray(value) && value.length === 0,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
  /** Null or any JSON value: the contract says that it may be null and no more. */
  nullable: () => true,
} as const satisfies Record<string, Meets>;

type PlainWord = keyof typeof PLAIN;

export type Word = PlainWord | `nullable ${Exclude<PlainWord, "null" | "nullable">}`;

/** `language` is the one that texts made for reading were asked in. */
export function meets(word: Word, value: unknown, language: string): boolean {
  if (isPlain(word)) return PLAIN[word](value, language);
  return value === null || meets(word.slice("nullable ".length) as PlainWord, value, language);
}

function isPlain(word: Word): word is PlainWord {
  return Object.hasOwn(PLAIN, word);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** A number past 2^53 has lost its last digits on the way, so it is no longer the integer that was meant. */
function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text);
}

function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Other languages have their own ways to say it; there it is only told from the forms it must not have. */
function isRelative(text: string, language: string): boolean {
  if (isEnglish(language)) return RELATIVE_ENGLISH.test(text);
  return text.trim() !== "" && !/^[\d:./-]+$/.test(text);
}

function isAbbreviated(text: string, language: string): boolean {
  return isEnglish(language) ? ABBREVIATED_ENGLISH.test(text) : /\p{N}/u.test(text);
}

/** Regional English is left out: India counts in lakhs. */
function isEnglish(language: string): boolean {
  return language === "en" || language === "en-US";
}
