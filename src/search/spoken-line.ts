/** Finds the subtitle line in which the words of a query are spoken. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { parseQuery } from "./query.ts";
import { tokenize } from "./tokens.ts";

/** Returns the first line with the most words of the query; null for a track without lines. */
export function findSpokenLine(lines: readonly SubtitleLine[], text: string): SubtitleLine | null {
  const queryWords = new Set(
    parseQuery(text)
      .terms.flat()
      .flatMap(({ tokens }) => tokens),
  );
  let best: SubtitleLine | null = null;
  let bestScore = -1;
  for (const line of lines) {
    const spoken = tokenize(line.text).flatMap(({ words }) => words);
    const whole = [...queryWords].filter((word) => spoken.includes(word)).length;
    // A part of a longer word counts half.
    const partial = () => [...queryWords].filter((word) => spoken.some((other) => other.includes(word))).length / 2;
    const score = whole > 0 ? whole : partial();
    if (score > bestScore) [best, bestScore] = [line, score];
    if (bestScore === queryWords.size) break;
  }
  return best;
}
