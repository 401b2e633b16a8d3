/**
 * One JSON text to one value, as captures need it: integers that a double cannot hold stay exact as text, the wrappers
 * of database dumps come off, and no string holds a NUL or half a surrogate pair. JSON.parse does the work; each extra
 * step runs only for texts in which a cheap look finds cause for it.
 */
import { UnreadableError } from "./unreadable-error.ts";

export function parseJson(text: string, maxDepth: number): unknown {
  if (text.length > 2 * maxDepth && nesting(text, maxDepth) > maxDepth) throw tooDeep(maxDepth);
  const exact = MAYBE_BIG.test(text) ? replaceOutsideStrings(text, BIG, quoteIfUnsafe) : text;
  let value: unknown;
  try {
    value = JSON.parse(exact);
  } catch (error) {
    value = parseLoose(exact, error);
  }
  return needsMending(text) ? mend(value) : value;
}

export function tooDeep(maxDepth: number): UnreadableError {
  return new UnreadableError(`nested_too_deep: more than ${maxDepth} levels`);
}

/** 2^53 has 16 digits: a shorter integer is always safe. */
const MAYBE_BIG = /[:,[\s-][1-9]\d{15}/;
const BIG = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

function quoteIfUnsafe(number: string): string {
  return Number.isSafeInteger(Number(number)) ? number : `"${number}"`;
}

/** Walks strings by hand: an expression that matches whole strings overflows on a long one. */
function replaceOutsideStrings(text: string, expression: RegExp, replace: (token: string) => string): string {
  let replaced = "";
  let from = 0;
  let at = 0;
  let isInString = false;
  for (const match of text.matchAll(expression)) {
    for (; at < match.index; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) isInString = !isInString;
      else if (code === 92 && isInString) at++;
    }
    if (isInString) continue;
    replaced += text.slice(from, match.index) + replace(match[0]);
    from = match.index + match[0].length;
  }
  return replaced + text.slice(from);
}

const NOT_FINITE = /-?\b(?:NaN|Infinity)\b/g;

/** Python writes NaN and Infinity where JSON has no word. */
function parseLoose(text: string, fault: unknown): unknown {
  if (/NaN|Infinity/.test(text)) {
    try {
      return JSON.parse(replaceOutsideStrings(text, NOT_FINITE, () => "null"));
    } catch {
      throw brokenJson(fault);
    }
  }
  throw brokenJson(fault);
}

/** The engine's message quotes the text, which may be anyone's words: only the position is told. */
function brokenJson(fault: unknown): unknown {
  if (!(fault instanceof SyntaxError)) return fault;
  if (/end of JSON|Unterminated/.test(fault.message)) {
    return new UnreadableError("cut_short: its JSON ends too early", fault);
  }
  const at = /position (\d+)/.exec(fault.message)?.[1];
  return new UnreadableError(at === undefined ? "not_json" : `json_broken: at character ${Number(at) + 1}`, fault);
}

const ESCAPED_NUL_OR_SURROGATE = /\\u(?:0000|[dD][89a-fA-F])/;

function needsMending(text: string): boolean {
  if (text.includes('"$') || text.includes('"__proto__"')) return true;
  return text.includes("\\u") && ESCAPED_NUL_OR_SURROGATE.test(text);
}

function mend(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = mend(value[at]);
    return value;
  }
  const unwrapped = unwrap(value as Record<string, unknown>);
  if (unwrapped !== value) return mend(unwrapped);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === "__proto__" ? [] : [[cleanText(name), mend(member)]])),
  );
}

export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}

/** MongoDB's extended JSON: an object with one member that names a type. */
const WRAPPERS = new Set(["$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$date", "$uuid"]);

function unwrap(value: Record<string, unknown>): unknown {
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

/** The depth of a text, counted no further than one past `enough`. */
function nesting(text: string, enough: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 123 || code === 91) {
      if (++depth > deepest) {
        deepest = depth;
        if (deepest > enough) return deepest;
      }
    } else if (code === 125 || code === 93) depth--;
  }
  return deepest;
}
