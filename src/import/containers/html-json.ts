/** JSON that web pages carry in their scripts: as data scripts, or assigned to a variable. All other script is left. */
import { Parser } from "htmlparser2";
import type { Refusal } from "#api/refusals.ts";
import type { Document } from "./document.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

export interface EmbeddedJson {
  /** The script's id or the variable's name; empty where there is none. */
  name: string;
  value: unknown;
}

/** What is found, in the order it stands. A data script that is broken is reported; other script never is. */
export function embeddedJson(page: string, maxDepth: number): (EmbeddedJson | { name: string; refused: Refusal })[] {
  const found: (EmbeddedJson | { name: string; refused: Refusal })[] = [];
  let script: { name: string; data: boolean; text: string[] } | null = null;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag !== "script") return;
      const type = attributes["type"] ?? "";
      script = { name: attributes["id"] ?? "", data: /\bjson\b/i.test(type), text: [] };
    },
    ontext(text) {
      script?.text.push(text);
    },
    onclosetag(tag) {
      if (tag !== "script" || script === null) return;
      const { name, data } = script;
      const text = script.text.join("").trim();
      script = null;
      if (data || /^[{[]/.test(text)) {
        const value = attempt(text, maxDepth);
        if (value instanceof UnreadableError) {
          if (data && text !== "") found.push({ name, refused: value.refusal });
        } else found.push({ name, value });
      } else found.push(...assignedJson(text, maxDepth));
    },
  });
  parser.write(page);
  parser.end();
  return found;
}

function attempt(text: string, maxDepth: number): unknown {
  try {
    return parseJson(text, maxDepth);
  } catch (error) {
    if (error instanceof UnreadableError) return error;
    throw error;
  }
}

/**
 * `window.name = {`, `window["name"] = {`, `var name = [`, and calls that hand over data: `name("path", {`. A name is only
 * tried from its beginning: from each of its letters, a long one would take the square of its length.
 */
const HANDED_OVER =
  /(?<![\w$.])[\d.]*(?:(?:window|self|globalThis)\.)?([A-Za-z_$][\w$.]*)(?:["']\s*\])?\s*(?:=|\(\s*["'][^"'\n]{0,512}["']\s*,)\s*(?=[{[])/g;

/** Values too small to be data are not worth a document. */
const LEAST_LENGTH = 32;

export function assignedJson(script: string, maxDepth: number): EmbeddedJson[] {
  const found: EmbeddedJson[] = [];
  HANDED_OVER.lastIndex = 0;
  for (let match = HANDED_OVER.exec(script); match !== null; match = HANDED_OVER.exec(script)) {
    const start = match.index + match[0].length;
    const end = balancedEnd(script, start);
    if (end - start < LEAST_LENGTH) continue;
    const value = attempt(script.slice(start, end), maxDepth);
    if (value instanceof UnreadableError) continue;
    found.push({ name: match[1]!, value });
    HANDED_OVER.lastIndex = end;
  }
  return found;
}

/** Where the brackets that open at `start` are closed; `start` if nowhere. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 123 || code === 91) depth++;
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1;
  }
  return start;
}

export function withinScript(name: string): Pick<Document, "within"> {
  return name === "" ? {} : { within: { path: [name], scalars: {} } };
}
