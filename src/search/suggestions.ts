/** What people write beside a query: hashtags, and the word that follows it. */
import type { Ranked } from "./ranking.ts";
import { parseQuery } from "./query.ts";
import { wordsOf } from "./strategies.ts";

/** Shorter words are mostly articles and particles. */
const SHORTEST_FOLLOWING = 4;

export function suggestions(text: string, ranked: readonly Ranked[], limit: number): string[] {
  const words = wordsOf(parseQuery(text));
  const asked = words.join(" ");
  const uses = new Map<string, number>();
  const count = (keyword: string) => uses.set(keyword, (uses.get(keyword) ?? 0) + 1);
  for (const { document } of ranked) {
    const hashtags = document.tags.split(" ").filter((tag) => tag.startsWith("#") && tag.length > 1);
    for (const tag of hashtags)
      if (!words.includes(tag.slice(1)) && tag.slice(1) !== words.join("")) count(tag.slice(1));
    if (asked === "") continue;
    for (const following of new Set(followers(`${document.title} ${document.text}`, asked)))
      count(`${asked} ${following}`);
  }
  // What a single post happens to say next is no habit.
  return [...uses]
    .filter(([keyword, times]) => times > 1 || !keyword.includes(" "))
    .toSorted(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([keyword]) => keyword);
}

function followers(text: string, asked: string): string[] {
  const found: string[] = [];
  const spaced = ` ${text} `;
  const needle = ` ${asked} `;
  for (let at = spaced.indexOf(needle); at >= 0; at = spaced.indexOf(needle, at + 1)) {
    const begin = at + needle.length;
    const word = spaced.slice(begin, spaced.indexOf(" ", begin));
    if (word.length >= SHORTEST_FOLLOWING && word !== asked) found.push(word);
  }
  return found;
}
