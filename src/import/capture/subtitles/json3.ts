/** YouTube's JSON caption format: events made of segments. Events that only append a line break are layout. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { readFilledText, readNumber, readObjectAt, readObjects } from "../field-readers.ts";
import type { SubtitleText } from "./subtitle-text.ts";

export function isJson3(value: unknown): boolean {
  const { events, wireMagic } = readObjectAt(value);
  if (!Array.isArray(events)) return false;
  return wireMagic === "pb3" || events.some((event) => "tStartMs" in readObjectAt(event));
}

export function parseJson3(value: unknown): SubtitleText {
  const lines: SubtitleLine[] = [];
  let isRolling = false;
  for (const event of readObjects(readObjectAt(value)["events"])) {
    const segments = readObjects(event["segs"]);
    const appends = event["aAppend"] === 1;
    isRolling ||= appends || segments.some((segment) => "tOffsetMs" in segment || "acAsrConf" in segment);
    const startMs = readNumber(event["tStartMs"]);
    const durationMs = readNumber(event["dDurationMs"]) ?? 0;
    const text = readFilledText(segments.map(({ utf8 }) => (typeof utf8 === "string" ? utf8 : "")).join(""))?.trim();
    if (appends || startMs === undefined || startMs < 0 || durationMs < 0 || text === undefined) continue;
    lines.push({ startS: startMs / 1000, durationS: durationMs / 1000, text });
  }
  return { lines, isRolling };
}
