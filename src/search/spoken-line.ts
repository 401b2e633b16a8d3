/** Finds the subtitle line in which the words of a query are spoken. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { parseQuery } from "./query.ts";
import { foldKana, listVariants, tokenize } from "./tokens.ts";

/** Returns the first line with the most words of the query; null for a track without lines. */
export function findSpokenLine(lines: readonly SubtitleLine[], text: string): SubtitleLine | null {
  const wanted = listForms(text);
  let best: SubtitleLine | null = null;
  let bestScore = -1;
  for (const line of lines) {
    const spoken = tokenize(line.text).flatMap(({ words, whole }) => [...words, whole].map(foldKana));
    let score = 0;
    for (const forms of wanted) {
      if (forms.some((form) => spoken.includes(form))) score += 1;
      // A part of a longer word counts half.
      else if (forms.some((form) => spoken.some((other) => other.includes(form)))) score += 0.5;
    }
    if (score > bestScore) [best, bestScore] = [line, score];
    if (bestScore === wanted.length) break;
  }
  return best;
}

/** The forms of each word by which the index finds it, without the sign of a hashtag or mention. */
function listForms(text: string): string[][] {
  const words = parseQuery(text)
    .terms.flat()
    .flatMap(({ tokens, raw }) => [...tokens, ...listSplitRuns(raw)])
    .map((word) => word.replace(/^[#@]/u, ""));
  return Array.from(new Set(words), (word) => listVariants(word).map(foldKana));
}

/** Searched as a whole too: the single kana into which some words are split are in most lines. */
function listSplitRuns(raw: string): string[] {
  return tokenize(raw).flatMap(({ words, whole }) => (words.length > 1 ? whole : []));
}
