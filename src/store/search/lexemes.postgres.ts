/**
 * Tokens as PostgreSQL lexemes. Each is quoted, so user text is never syntax, and prefixed with its partition, so a
 * search never reads another partition's documents. The server's dictionaries are not used.
 */
import { hash } from "node:crypto";
import { isImpossible, type Match } from "#search/match.ts";

/** The server accepts lexemes of up to 2046 bytes, and vectors of up to a million. */
const MAX_LEXEME_BYTES = 2_000;
const MAX_VECTOR_BYTES = 1_000_000;

function lexeme(token: string, partition: number): string {
  // A UTF-16 code unit is at most three bytes of UTF-8. A token this long is only searched as a whole.
  const short = token.length * 3 < MAX_LEXEME_BYTES ? token : hash("sha256", token, "base64url");
  return `${partition}:${short}`;
}

function quote(text: string): string {
  return `'${/['\\]/.test(text) ? text.replaceAll("\\", "\\\\").replaceAll("'", "''") : text}'`;
}

/** The tokens of a document, without positions: phrases are matched in the fields themselves. */
export function vectorOf(tokens: ReadonlySet<string>, partition: number): string {
  let vector = "";
  let bytes = 0;
  for (const token of tokens) {
    const next = quote(lexeme(token, partition));
    bytes += Buffer.byteLength(next) + 1;
    // The end of an oversized document is not searched.
    if (bytes > MAX_VECTOR_BYTES) break;
    vector += vector === "" ? next : ` ${next}`;
  }
  return vector;
}

/** A phrase becomes the conjunction of its words. */
export function queryOf(match: Match, partition: number): string {
  if (typeof match === "string") return quote(lexeme(match, partition));
  if ("phrase" in match) return queryOf({ all: match.phrase }, partition);
  if ("all" in match) return `(${match.all.map((part) => queryOf(part, partition)).join(" & ")})`;
  if ("any" in match)
    return `(${possible(match.any)
      .map((part) => queryOf(part, partition))
      .join(" | ")})`;
  return `(${queryOf(match.match, partition)} & !${queryOf(match.not, partition)})`;
}

export function possible(matches: readonly Match[]): Match[] {
  return matches.filter((match) => !isImpossible(match));
}

export function hasPhrase(match: Match): boolean {
  if (typeof match === "string") return false;
  if ("phrase" in match) return true;
  if ("all" in match) return match.all.some(hasPhrase);
  if ("any" in match) return match.any.some(hasPhrase);
  return hasPhrase(match.match) || hasPhrase(match.not);
}
