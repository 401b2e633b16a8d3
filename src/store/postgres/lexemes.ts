/**
 * Tokens as PostgreSQL writes them. Every one is quoted and carries the number of its scope, so no text of a person is
 * syntax and no search reads another scope's documents. No dictionary and no language of the server's has a say.
 */
import { hash } from "node:crypto";
import { isImpossible, type Match } from "#search/match.ts";

/** The server takes lexemes of up to 2046 bytes, and vectors of up to a million. */
const LONGEST_LEXEME = 2_000;
const LONGEST_VECTOR = 1_000_000;

function lexeme(token: string, scope: number): string {
  // A character is three bytes at most; a token this long is looked for as a whole or not at all.
  const short = token.length * 3 < LONGEST_LEXEME ? token : hash("sha256", token, "base64url");
  return `${scope}:${short}`;
}

function quoted(text: string): string {
  return `'${/['\\]/.test(text) ? text.replaceAll("\\", "\\\\").replaceAll("'", "''") : text}'`;
}

/** Which tokens a document holds, whatever their places: phrases are looked for in the fields themselves. */
export function vectorOf(tokens: ReadonlySet<string>, scope: number): string {
  let vector = "";
  for (const token of tokens) {
    const next = quoted(lexeme(token, scope));
    // A character is three bytes at most. Of what is longer than any text, the end is not searched.
    if ((vector.length + next.length) * 3 > LONGEST_VECTOR && Buffer.byteLength(vector + next) > LONGEST_VECTOR) break;
    vector += vector === "" ? next : ` ${next}`;
  }
  return vector;
}

/** What must be held, for a match without phrases. */
export function queryOf(match: Match, scope: number): string {
  if (typeof match === "string") return quoted(lexeme(match, scope));
  if ("phrase" in match) return queryOf({ all: match.phrase }, scope);
  if ("all" in match) return `(${match.all.map((part) => queryOf(part, scope)).join(" & ")})`;
  if ("any" in match)
    return `(${possible(match.any)
      .map((part) => queryOf(part, scope))
      .join(" | ")})`;
  return `(${queryOf(match.match, scope)} & !${queryOf(match.not, scope)})`;
}

export function possible(matches: readonly Match[]): Match[] {
  return matches.filter((match) => !isImpossible(match));
}

export function holdsPhrase(match: Match): boolean {
  if (typeof match === "string") return false;
  if ("phrase" in match) return true;
  if ("all" in match) return match.all.some(holdsPhrase);
  if ("any" in match) return match.any.some(holdsPhrase);
  return holdsPhrase(match.match) || holdsPhrase(match.not);
}
