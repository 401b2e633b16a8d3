/** The platform's own JSON of a caption track: events of segments. Events that only append a line break are layout. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { listOf, numberOf, textOf, within } from "../field-readers.ts";
import type { SubtitleText } from "./subtitle-text.ts";

export function isJson3(value: unknown): boolean {
  const { events, wireMagic } = within(value);
  if (!Array.isArray(events)) return false;
  return wireMagic === "pb3" || events.some((event) => "tStartMs" in within(event));
}

export function readJson3(value: unknown): SubtitleText {
  const lines: SubtitleLine[] = [];
  let rolling = false;
  for (const item of listOf(within(value)["events"])) {
    const event = within(item);
    const segments = listOf(event["segs"]).map((segment) => within(segment));
    rolling ||= event["aAppend"] === 1 || segments.some((segment) => "tOffsetMs" in segment || "acAsrConf" in segment);
    const startMs = numberOf(event["tStartMs"]);
    const durationMs = numberOf(event["dDurationMs"]) ?? 0;
    const text = textOf(segments.map(({ utf8 }) => (typeof utf8 === "string" ? utf8 : "")).join(""))?.trim();
    if (event["aAppend"] === 1 || startMs === undefined || startMs < 0 || durationMs < 0 || text === undefined)
      continue;
    lines.push({ startS: startMs / 1000, durationS: durationMs / 1000, text });
  }
  return { lines, rolling };
}
