/** The platform's own JSON of a caption track: events of segments. Events that only append a line break are layout. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { readFilledText, readItems, readNumber, readObjectAt } from "#import/capture/field-readers.ts";
import type { SubtitleText } from "./subtitle-text.ts";

export function isJson3(value: unknown): boolean {
  const { events, wireMagic } = readObjectAt(value);
  if (!Array.isArray(events)) return false;
  return wireMagic === "pb3" || events.some((event) => "tStartMs" in readObjectAt(event));
}

export function readJson3(value: unknown): SubtitleText {
  const lines: SubtitleLine[] = [];
  let rolling = false;
  for (const item of readItems(readObjectAt(value)["events"])) {
    const event = readObjectAt(item);
    const segments = readItems(event["segs"]).map((segment) => readObjectAt(segment));
    rolling ||= event["aAppend"] === 1 || segments.some((segment) => "tOffsetMs" in segment || "acAsrConf" in segment);
    const startMs = readNumber(event["tStartMs"]);
    const durationMs = readNumber(event["dDurationMs"]) ?? 0;
    const text = readFilledText(segments.map(({ utf8 }) => (typeof utf8 === "string" ? utf8 : "")).join(""))?.trim();
    if (event["aAppend"] === 1 || startMs === undefined || startMs < 0 || durationMs < 0 || text === undefined)
      continue;
    lines.push({ startS: startMs / 1000, durationS: durationMs / 1000, text });
  }
  return { lines, rolling };
}
