import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Text, wireObject } from "#api/wire.ts";
import type { SubtitleLine as StoredLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";

export const SubtitleLine = wireObject({
  id: Type.Integer({ description: "Index of the line, from 0." }),
  start: Type.Number({ description: "Seconds from the start of the video." }),
  duration: Type.Number({ description: "Seconds." }),
  text: Text,
});
export type SubtitleLine = Static<typeof SubtitleLine>;

export function toSubtitleLine(line: StoredLine, index: number): Nullable<SubtitleLine> {
  return {
    id: index,
    start: roundToMilliseconds(line.startS),
    duration: roundToMilliseconds(line.durationS),
    text: line.text,
  };
}
