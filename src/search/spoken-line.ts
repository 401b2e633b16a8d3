/** Where in a track of subtitles the words of a query are spoken. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { parseQuery } from "./query.ts";
import { tokenize } from "./tokens.ts";

/** The line that holds most of the words, the first of equal ones; null for a track without lines. */
export function spokenLine(lines: readonly SubtitleLine[], text: string): SubtitleLine | null {
  const wanted = new Set(
    parseQuery(text)
      .terms.flat()
      .flatMap(({ tokens }) => tokens),
  );
  let best: SubtitleLine | null = null;
  let most = -1;
  for (const line of lines) {
    const spoken = tokenize(line.text).flatMap(({ words }) => words);
    const held = [...wanted].filter((word) => spoken.includes(word)).length;
    // Less than a whole word: a beginning, or a part in the middle.
    const begun = held > 0 ? 0 : [...wanted].filter((word) => spoken.some((other) => other.includes(word))).length / 2;
    if (held + begun > most) [best, most] = [line, held + begun];
    if (most === wanted.size) break;
  }
  return best;
}
