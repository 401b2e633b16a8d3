/** Suggests keywords that occur with a query: hashtags, and words that follow it. */
import type { Ranked } from "./ranking.ts";
import { parseQuery } from "./query.ts";
import { plainWords } from "./strategies.ts";
import { withFinalSigma } from "./tokens.ts";

/** Shorter words are mostly articles and particles. */
const MIN_FOLLOWING_LENGTH = 4;

export function suggestKeywords(text: string, ranked: readonly Ranked[], limit: number): string[] {
  const words = plainWords(parseQuery(text));
  const query = words.join(" ");
  const uses = new Map<string, number>();
  const count = (keyword: string) => uses.set(keyword, (uses.get(keyword) ?? 0) + 1);
  for (const { document } of ranked) {
    const hashtags = document.tags.split(" ").filter((tag) => tag.startsWith("#"));
    for (const tag of hashtags)
      if (!words.includes(tag.slice(1)) && tag.slice(1) !== words.join("")) count(tag.slice(1));
    if (query === "") continue;
    for (const following of new Set(followingWords(`${document.title} ${document.text}`, query)))
      count(`${query} ${following}`);
  }
  // A following word counts only if more than one post has it.
  return [...uses]
    .filter(([keyword, times]) => times > 1 || !keyword.includes(" "))
    .toSorted(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([keyword]) => withFinalSigma(keyword));
}

function followingWords(text: string, query: string): string[] {
  const found: string[] = [];
  const spaced = ` ${text} `;
  const needle = ` ${query} `;
  for (let at = spaced.indexOf(needle); at >= 0; at = spaced.indexOf(needle, at + 1)) {
    const start = at + needle.length;
    const word = spaced.slice(start, spaced.indexOf(" ", start));
    if (word.length >= MIN_FOLLOWING_LENGTH && word !== query) found.push(word);
  }
  return found;
}
