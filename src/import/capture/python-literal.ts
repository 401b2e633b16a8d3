/** Reads what Python prints for its lists and dictionaries, as pandas writes them into cells. */
import { parseJson } from "#import/containers/parse-json.ts";

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const WORDS: Readonly<Record<string, string>> = { None: "null", True: "true", False: "false", nan: "null" };

/** Throws if the text is something else. */
export function parsePythonLiteral(text: string, maxDepth: number): unknown {
  let json = "";
  for (let at = 0; at < text.length;) {
    const quote = text.charAt(at);
    if (quote === "'" || quote === '"') {
      const { value, end } = readString(text, at + 1, quote);
      json += JSON.stringify(value);
      at = end;
    } else {
      let end = at + 1;
      while (end < text.length && text[end] !== "'" && text[end] !== '"') end++;
      json += text.slice(at, end).replaceAll(/\b(?:None|True|False|nan)\b/g, (word) => WORDS[word] ?? word);
      at = end;
    }
  }
  return parseJson(json, maxDepth);
}

function readString(text: string, start: number, quote: string): { value: string; end: number } {
  const parts: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) return { value: parts.join(""), end: at + 1 };
    if (character !== "\\") {
      parts.push(character);
      continue;
    }
    const escape = text.charAt(++at);
    const length = CODE_LENGTHS[escape] ?? 0;
    const code = Number.parseInt(text.slice(at + 1, at + 1 + length), 16);
    parts.push(length > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (ESCAPES[escape] ?? escape));
    at += length;
  }
  return { value: parts.join(""), end: text.length };
}
