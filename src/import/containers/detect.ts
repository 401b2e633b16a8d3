/** Which kind of text a file is, by looking at its beginning. Names are hints where the beginning leaves a choice. */
import { separatorOf } from "./csv.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

export type TextKind =
  | { kind: "json"; har: boolean }
  | { kind: "ndjson" }
  | { kind: "table"; separator: string }
  | { kind: "page" }
  | { kind: "script" }
  | { kind: "text" }
  | { kind: "binary" }
  | { kind: "empty" };

/** Guards that servers put before JSON against being run as script. */
const GUARD = /^(?:for\s*\(;;\);|while\s*\(1\);|\)\]\}',?|\/\*-secure-)\s*/;

export function guardLength(head: string): number {
  const blank = head.length - head.trimStart().length;
  const guard = GUARD.exec(head.slice(blank));
  return guard === null ? 0 : Buffer.byteLength(head.slice(0, blank + guard[0].length));
}

/** `whole`: the head is all of the file. */
export function detect(head: string, whole: boolean, name: string): TextKind {
  if (looksBinary(head)) return { kind: "binary" };
  const text = head.trimStart();
  if (text === "") return { kind: whole ? "empty" : "text" };
  if (text.startsWith("WEBVTT") || /^\d+[^\S\n]*\n\s*[\d:.,]+\s*-->/.test(text)) return { kind: "text" };
  if (text.startsWith("<")) return { kind: isPage(text) ? "page" : "text" };
  if (text.startsWith("{") || text.startsWith("[")) return jsonKind(text, whole, name);
  if (/^(?:window|self|globalThis|var|let|const)\b[^=\n]{0,200}=\s*[{[]/.test(text)) return { kind: "script" };
  if (/\.(?:vtt|srt|ttml|srv\d|xml|txt|md|log)$/i.test(name)) return { kind: "text" };
  if (/\.(?:json|ndjson|jsonl)$/i.test(name)) return jsonKind(text, whole, name);
  const separator = separatorOf(text, whole);
  if (separator !== null && (/\n|\r/.test(text) || /\.[ct]sv$/i.test(name))) return { kind: "table", separator };
  if (/\.csv$/i.test(name)) return { kind: "table", separator: "," };
  if (/\.tsv$/i.test(name)) return { kind: "table", separator: "\t" };
  if (isJson(text)) return { kind: "json", har: false };
  return { kind: "text" };
}

/** Text has hardly any control characters. The head of a binary file is full of them, or of what UTF-8 cannot say. */
function looksBinary(head: string): boolean {
  const sample = head.slice(0, 4096);
  let odd = 0;
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32) || code === 0xfffd) odd++;
  }
  return odd > 8 && odd > sample.length * 0.1;
}

/** Caption files have a head and a body too: their root tells them from pages. */
const CAPTIONS = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:timedtext|transcript|tt)\b/i;

function isPage(text: string): boolean {
  const start = text.slice(0, 4096);
  if (CAPTIONS.test(start)) return false;
  return /<!doctype html|<html\b|<head\b|<body\b|<script\b/i.test(start);
}

/** Lines that are looked at to tell JSON by lines from JSON over lines. */
const LINES_TRIED = 32;

function jsonKind(text: string, whole: boolean, name: string): TextKind {
  if (/^\{\s*"log"\s*:\s*\{/.test(text)) return { kind: "json", har: true };
  const lines = text.split("\n");
  if (!whole) lines.pop();
  const tried = lines.filter((line) => line.trim() !== "").slice(0, LINES_TRIED);
  if (tried.length === 0) return /\.(?:ndjson|jsonl)$/i.test(name) ? { kind: "ndjson" } : { kind: "json", har: false };
  const values = tried.filter((line) => /^\s*[{[]/.test(line) && isJson(line)).length;
  const byLines = tried.length > 1 ? values * 2 >= tried.length : /\.(?:ndjson|jsonl)$/i.test(name) || !whole;
  return byLines && (values > 0 || tried.length === 1) ? { kind: "ndjson" } : { kind: "json", har: false };
}

function isJson(text: string): boolean {
  try {
    parseJson(text, 100);
    return true;
  } catch (error) {
    if (error instanceof UnreadableError) return /deep/.test(error.message);
    throw error;
  }
}
