/**
 * Automatic captions roll: each cue repeats the previous line above its new one, and short cues in between repeat
 * everything. Keeps each line once, at the time it first appeared.
 */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import type { Cue } from "./cues.ts";

/** Where a conversion to SubRip has lost the times of words, captions that roll are recognised by their repeated lines. */
export function areRollingCaptions(cues: readonly Cue[]): boolean {
  if (cues.some(({ hasWordTimes }) => hasWordTimes)) return true;
  let repeating = 0;
  let growing = 0;
  for (const [at, { lines }] of cues.entries()) {
    const overlap = countOverlap(cues[at - 1]?.lines ?? [], lines);
    if (overlap > 0) repeating++;
    if (overlap > 0 && overlap < lines.length) growing++;
  }
  // A chorus repeats lines as well, but adds none below them.
  return growing > 0 && repeating >= cues.length / 2 && growing >= cues.length / 4;
}

export function dedupeRollingCaptions(cues: readonly Cue[]): SubtitleLine[] {
  const result: SubtitleLine[] = [];
  let previous: string[] = [];
  for (const cue of cues) {
    const added = cue.lines.slice(countOverlap(previous, cue.lines));
    const last = result.at(-1);
    if (added.length > 0) {
      result.push({
        startS: cue.startS,
        durationS: roundToMilliseconds(cue.endS - cue.startS),
        text: added.join("\n"),
      });
    } else if (last !== undefined && cue.endS > last.startS + last.durationS) {
      last.durationS = roundToMilliseconds(cue.endS - last.startS);
    }
    previous = cue.lines;
  }
  return result;
}

/** More than a screen shows; bounds the time that long cues take. */
const MAX_OVERLAP = 10;

/** The number of lines at the end of one cue that also begin the next. */
function countOverlap(before: readonly string[], after: readonly string[]): number {
  for (let count = Math.min(before.length, after.length, MAX_OVERLAP); count > 0; count--) {
    if (before.slice(-count).every((line, index) => line === after[index])) return count;
  }
  return 0;
}
