/** Extracts the JSON that web pages carry in data scripts or strings or assign to variables. Other script is ignored. */
import { createHtmlParser } from "./html-parser.ts";
import type { Refusal } from "#api/refusals.ts";
import type { Document } from "./document.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface EmbeddedJson {
  /** The script's id or the variable's name; empty if there is none. */
  name: string;
  value: unknown;
}

/** In document order. A data script that is broken is refused; other script never is. */
export function extractEmbeddedJson(
  page: string,
  maxDepth: number,
): (EmbeddedJson | { name: string; refused: Refusal })[] {
  const found: (EmbeddedJson | { name: string; refused: Refusal })[] = [];
  let script: { name: string; isData: boolean; text: string[] } | null = null;
  const parser = createHtmlParser({
    onopentag(tag, attributes) {
      if (tag !== "script") return;
      const isData = /\bjson\b/i.test(attributes["type"] ?? "");
      script = { name: attributes["id"] ?? "", isData, text: [] };
    },
    ontext(text) {
      script?.text.push(text);
    },
    onclosetag(tag) {
      if (tag !== "script" || script === null) return;
      const { name, isData } = script;
      const text = script.text.join("").trim();
      script = null;
      if (isData || /^[{[]/.test(text)) {
        const value = tryParse(text, maxDepth);
        if (!(value instanceof UnreadableError)) found.push({ name, value });
        else if (isData && text !== "") found.push({ name, refused: value.refusal });
      } else {
        for (const assigned of extractAssignedJson(text, maxDepth)) found.push(assigned);
        for (const quoted of extractQuotedJson(text, maxDepth)) found.push(quoted);
      }
    },
  });
  parser.write(page);
  parser.end();
  return found;
}

function tryParse(text: string, maxDepth: number): unknown {
  try {
    return parseJson(text, maxDepth);
  } catch (error) {
    if (error instanceof UnreadableError) return error;
    throw error;
  }
}

/**
 * `window.name = {`, `window["name"] = {`, `var name = [`, and calls that pass data: `name("path", {`. A name is only
 * matched from its beginning: trying each of its letters would take quadratic time.
 */
const ASSIGNMENT =
  /(?<![\w$.])[\d.]*(?:(?:window|self|globalThis)\.)?([A-Za-z_$][\w$.]*)(?:["']\s*\])?\s*(?:=|\(\s*["'][^"'\n]{0,512}["']\s*,)\s*(?=[{[])/g;

/** Shorter values are not data. */
const MIN_LENGTH = 32;

export function extractAssignedJson(script: string, maxDepth: number): EmbeddedJson[] {
  const found: EmbeddedJson[] = [];
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(script); match !== null; match = ASSIGNMENT.exec(script)) {
    const [assignment, name = ""] = match;
    const start = match.index + assignment.length;
    const end = findValueEnd(script, start);
    if (end - start < MIN_LENGTH) continue;
    const value = tryParse(script.slice(start, end), maxDepth);
    if (value instanceof UnreadableError) continue;
    found.push({ name, value });
    ASSIGNMENT.lastIndex = end;
  }
  return found;
}

/** Posts embedded in other sites carry their data as JSON in a string. */
const QUOTED = /"contextJSON"\s{0,9}:\s{0,9}(?=")/g;

function extractQuotedJson(script: string, maxDepth: number): EmbeddedJson[] {
  return [...script.matchAll(QUOTED)].flatMap(({ index, 0: key }) => {
    const start = index + key.length;
    const text = tryParse(script.slice(start, findStringEnd(script, start) + 1), maxDepth);
    const value = typeof text === "string" && text.startsWith("{") ? tryParse(text, maxDepth) : undefined;
    return value === undefined || value instanceof UnreadableError ? [] : [{ name: "", value }];
  });
}

const QUOTE = 34;
const BACKSLASH = 92;

/** What may be outside of strings: JSON's punctuation, white space, numbers and words, and Python's NaN and Infinity. */
const JSON_CHARACTERS = new Uint8Array(128);
for (const character of '{}[]:,"\t\n\r +-.0123456789eEtruefalsnullNaNInfinity') {
  JSON_CHARACTERS[character.charCodeAt(0)] = 1;
}

/**
 * The end of the object or array at `start`; `start` if it has none or cannot be JSON. It stops at the first character
 * that JSON does not have outside of strings. An assignment always has one, so scans that started at different
 * assignments do not overlap by more than two, and all of them together take linear time.
 */
function findValueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(text, at);
    else if (code === 123 || code === 91) depth++;
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1;
    else if (JSON_CHARACTERS[code] !== 1) return start;
  }
  return start;
}

/** The closing quote of the string whose opening quote is at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

export function scriptLocation(name: string): Pick<Document, "location"> {
  return name === "" ? {} : { location: { path: [name], scalars: {} } };
}
