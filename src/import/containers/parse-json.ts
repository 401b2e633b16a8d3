/**
 * Parses JSON as captures need it: integers beyond 2^53 stay exact as strings, MongoDB's type wrappers are removed, and
 * no string contains a NUL or a lone surrogate. JSON.parse does the work; each extra step runs only for texts in which
 * a quick check finds a reason for it.
 */
import { type Fields, isFields } from "#domain/fields.ts";
import { UnreadableError } from "./unreadable-error.ts";

export function parseJson(text: string, maxDepth: number): unknown {
  if (text.length > 2 * maxDepth && measureDepth(text, maxDepth) > maxDepth) throw nestedTooDeepError(maxDepth);
  const exact = MAYBE_BIG_INTEGER.test(text) ? replaceOutsideStrings(text, BIG_INTEGER, quoteIfUnsafe) : text;
  let value: unknown;
  try {
    value = JSON.parse(exact);
  } catch (error) {
    value = parsePythonJson(exact, error);
  }
  return needsSanitizing(text) ? sanitize(value) : value;
}

export function nestedTooDeepError(maxDepth: number): UnreadableError {
  return new UnreadableError(`nested_too_deep: more than ${maxDepth} levels`);
}

/** 2^53 has 16 digits: a shorter integer is always safe. */
const MAYBE_BIG_INTEGER = /[:,[\s-][1-9]\d{15}/;
const BIG_INTEGER = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

function quoteIfUnsafe(number: string): string {
  return Number.isSafeInteger(Number(number)) ? number : `"${number}"`;
}

/** Skips strings by hand: a regular expression that matches whole strings overflows the stack on a long one. */
function replaceOutsideStrings(text: string, expression: RegExp, replace: (token: string) => string): string {
  let replaced = "";
  let copied = 0;
  let at = 0;
  let isInString = false;
  for (const match of text.matchAll(expression)) {
    for (; at < match.index; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) isInString = !isInString;
      else if (code === 92 && isInString) at++;
    }
    if (isInString) continue;
    replaced += text.slice(copied, match.index) + replace(match[0]);
    copied = match.index + match[0].length;
  }
  return replaced + text.slice(copied);
}

const NON_FINITE = /-?\b(?:NaN|Infinity)\b/g;

/** Accepts Python's NaN and Infinity, which JSON lacks. */
function parsePythonJson(text: string, cause: unknown): unknown {
  if (/NaN|Infinity/.test(text)) {
    try {
      return JSON.parse(replaceOutsideStrings(text, NON_FINITE, () => "null"));
    } catch {
      throw toSyntaxRefusal(cause);
    }
  }
  throw toSyntaxRefusal(cause);
}

/** V8's message quotes the text, which may be personal: only the position is reported. */
function toSyntaxRefusal(error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error;
  if (/end of JSON|Unterminated/.test(error.message)) {
    return new UnreadableError("cut_short: the JSON ends too early", error);
  }
  const position = /position (\d+)/.exec(error.message)?.[1];
  if (position === undefined) return new UnreadableError("not_json", error);
  return new UnreadableError(`json_broken: at character ${Number(position) + 1}`, error);
}

const ESCAPED_NUL_OR_SURROGATE = /\\u(?:0000|[dD][89a-fA-F])/;

function needsSanitizing(text: string): boolean {
  if (text.includes('"$') || text.includes('"__proto__"')) return true;
  return text.includes("\\u") && ESCAPED_NUL_OR_SURROGATE.test(text);
}

function sanitize(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = sanitize(value[at]);
    return value;
  }
  if (!isFields(value)) return value;
  const unwrapped = unwrap(value);
  if (unwrapped !== value) return sanitize(unwrapped);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name === "__proto__" ? [] : [[cleanText(name), sanitize(member)]],
    ),
  );
}

function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}

/** MongoDB's Extended JSON: an object whose only member names a type. */
const WRAPPERS = new Set(["$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$date", "$uuid"]);

function unwrap(value: Fields): unknown {
  const names = Object.keys(value);
  const [name] = names;
  if (names.length !== 1 || name === undefined || !WRAPPERS.has(name)) return value;
  const inner = value[name];
  if (name.startsWith("$number") && typeof inner === "string") {
    const number = Number(inner);
    if (Number.isSafeInteger(number)) return number;
    return /^-?\d+$/.test(inner) ? inner : Number.isFinite(number) && inner.trim() !== "" ? number : null;
  }
  return inner;
}

/** The nesting depth of a text; stops counting at one more than `limit`. */
function measureDepth(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 123 || code === 91) {
      if (++depth > deepest) {
        deepest = depth;
        if (deepest > limit) return deepest;
      }
    } else if (code === 125 || code === 93) depth--;
  }
  return deepest;
}
