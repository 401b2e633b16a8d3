/**
 * Automatic captions roll: each cue repeats the previous line above its new one, and short cues in between repeat
 * everything. Keeps each line once, at the time it first appeared.
 */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import type { Cue } from "./cues.ts";

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

/** The number of lines at the end of one cue that also begin the next. */
function countOverlap(before: readonly string[], after: readonly string[]): number {
  for (let count = Math.min(before.length, after.length); count > 0; count--) {
    if (before.slice(-count).every((line, index) => line === after[index])) return count;
  }
  return 0;
}
