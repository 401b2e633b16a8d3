/** What a person typed, as tokens to look for: all of them, the last one also as the beginning of a longer word. */
import { tokenize } from "./tokens.ts";

export interface TextQuery {
  words: string[];
  /** Matches any word that begins with it; null when the text ends in a finished token such as a hashtag or an emoji. */
  prefix: string | null;
}

const MAX_WORDS = 12;

export function parseQuery(text: string): TextQuery {
  const tokens = [...new Set(tokenize(text))];
  // A hashtag also yields its bare words, which would only widen the search: the tag itself is what was asked for.
  const tagged = new Set(tokens.filter((token) => token[0] === "#" || token[0] === "@").map((token) => token.slice(1)));
  const words = tokens.filter((token) => !tagged.has(token)).slice(0, MAX_WORDS);
  const last = words.at(-1);
  if (last === undefined || text.endsWith(" ") || !/^[#@\p{L}\p{N}]/u.test(last)) return { words, prefix: null };
  return { words: words.slice(0, -1), prefix: last };
}
