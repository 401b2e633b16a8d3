/** Detects the kind of text by the beginning of a file; its name decides where the beginning is ambiguous. */
import { isActivityPage } from "./activity-page.ts";
import { detectSeparator } from "./csv.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

export type TextKind =
  | { kind: "json"; isHar: boolean }
  | { kind: "ndjson" }
  | { kind: "table"; separator: string }
  | { kind: "page"; isActivity: boolean }
  | { kind: "script" }
  | { kind: "backup" }
  | { kind: "text" }
  | { kind: "binary" }
  | { kind: "empty" };

/** Prefixes that servers put before JSON against JSON hijacking. */
const HIJACKING_GUARD = /^(?:for\s*\(;;\);|while\s*\(1\);|\)\]\}',?|\/\*-secure-)\s*/;

export function hijackingGuardLength(head: string): number {
  const indent = head.length - head.trimStart().length;
  const guard = HIJACKING_GUARD.exec(head.slice(indent));
  return guard === null ? 0 : Buffer.byteLength(head.slice(0, indent + guard[0].length));
}

/** `isWhole`: the head is the whole file. `isTable`: the user says that it is a table. */
export function detectTextKind(head: string, isWhole: boolean, name: string, isTable = false): TextKind {
  if (looksBinary(head)) return { kind: "binary" };
  const text = head.trimStart();
  if (text === "") return { kind: isWhole ? "empty" : "text" };
  if (text.startsWith("WEBVTT") || /^\d+[^\S\n]*\n\s*[\d:.,]+\s*-->/.test(text)) return { kind: "text" };
  if (text.startsWith("<")) return isPage(text) ? { kind: "page", isActivity: isActivityPage(text) } : { kind: "text" };
  if (text.startsWith('{"format":"triptych-backup"')) return { kind: "backup" };
  if (text.startsWith("{") || text.startsWith("[")) return jsonKind(text, isWhole, name);
  if (/^(?:window|self|globalThis|var|let|const)\b[^=\n]{0,200}=\s*[{[]/.test(text)) return { kind: "script" };
  if (!isTable && /\.(?:vtt|srt|ttml|srv\d|xml|txt|md|log)$/i.test(name)) return { kind: "text" };
  if (/\.(?:json|ndjson|jsonl)$/i.test(name)) return jsonKind(text, isWhole, name);
  const separator = detectSeparator(text, isWhole);
  if (separator !== null && (/\n|\r/.test(text) || /\.[ct]sv$/i.test(name))) return { kind: "table", separator };
  if (/\.csv$/i.test(name)) return { kind: "table", separator: "," };
  if (/\.tsv$/i.test(name)) return { kind: "table", separator: "\t" };
  if (isJson(text)) return { kind: "json", isHar: false };
  return isTable ? { kind: "table", separator: "," } : { kind: "text" };
}

/** Text has hardly any control characters; binary files are full of them, or of invalid UTF-8. */
function looksBinary(head: string): boolean {
  const sample = head.slice(0, 4096);
  let controls = 0;
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32) || code === 0xfffd) controls++;
  }
  return controls > 8 && controls > sample.length * 0.1;
}

/** Caption files may have <head> and <body> too; their root element tells them from pages. */
const CAPTIONS = /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:timedtext|transcript|tt)\b/i;

function isPage(text: string): boolean {
  const start = text.slice(0, 4096);
  if (CAPTIONS.test(start)) return false;
  return /<!doctype html|<html\b|<head\b|<body\b|<script\b/i.test(start);
}

/** Lines that are parsed to tell NDJSON from one JSON value over several lines. */
const SAMPLE_LINES = 32;

function jsonKind(text: string, isWhole: boolean, name: string): TextKind {
  if (/^\{\s*"log"\s*:\s*\{/.test(text)) return { kind: "json", isHar: true };
  const lines = text.split("\n");
  if (!isWhole) lines.pop();
  const sample = lines.filter((line) => line.trim() !== "").slice(0, SAMPLE_LINES);
  const values = sample.filter((line) => /^\s*[{[]/.test(line) && isJson(line)).length;
  const isNdjson =
    sample.length > 1
      ? values > 0 && values * 2 >= sample.length
      : /\.(?:ndjson|jsonl)$/i.test(name) || (!isWhole && values > 0);
  return isNdjson ? { kind: "ndjson" } : { kind: "json", isHar: false };
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
