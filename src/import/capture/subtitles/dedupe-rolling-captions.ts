/**
 * Automatic captions roll: each cue repeats the line above its new one, and a short cue between two repeats all. Here
 * every line comes once, with the time at which it was first shown.
 */
import type { SubtitleLine } from "#domain/subtitle.ts";
import type { Cue } from "./cues.ts";

export function rolledOut(cues: readonly Cue[]): SubtitleLine[] {
  const shown: SubtitleLine[] = [];
  let before: string[] = [];
  for (const cue of cues) {
    const fresh = cue.lines.slice(overlap(before, cue.lines));
    const last = shown.at(-1);
    if (fresh.length > 0) {
      shown.push({ startS: cue.startS, durationS: seconds(cue.endS - cue.startS), text: fresh.join("\n") });
    } else if (last !== undefined && cue.endS > last.startS + last.durationS) {
      last.durationS = seconds(cue.endS - last.startS);
    }
    before = cue.lines;
  }
  return shown;
}

/** How many lines at the end of one cue stand at the beginning of the next. */
function overlap(before: readonly string[], after: readonly string[]): number {
  for (let count = Math.min(before.length, after.length); count > 0; count--) {
    if (before.slice(-count).every((line, index) => line === after[index])) return count;
  }
  return 0;
}

function seconds(value: number): number {
  return Math.round(value * 1000) / 1000;
}
