import { type Static, Type } from "typebox";
import type { Nullable } from "#api/nullable.ts";
import { Text, wireObject } from "#api/wire.ts";
import type { SubtitleLine as HeldLine } from "#domain/subtitle.ts";

export const SubtitleLine = wireObject({
  id: Type.Integer({ description: "Place in the track: 0 for the first line." }),
  start: Type.Number({ description: "Seconds from the beginning of the video." }),
  duration: Type.Number({ description: "Seconds." }),
  text: Text,
});
export type SubtitleLine = Static<typeof SubtitleLine>;

export function toSubtitleLine(line: HeldLine, index: number): Nullable<SubtitleLine> {
  return {
    id: index,
    start: toMilliseconds(line.startS),
    duration: toMilliseconds(line.durationS),
    text: line.text,
  };
}

/** Subtitle files count milliseconds; more digits are noise of binary fractions. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
