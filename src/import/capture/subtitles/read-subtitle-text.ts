/** Parses a subtitle text in the format that its extension or its first character indicates. */
import { roundToMilliseconds } from "#domain/time.ts";
import { parseCues } from "./cues.ts";
import { areRollingCaptions, dedupeRollingCaptions } from "./dedupe-rolling-captions.ts";
import { parseJson3 } from "./json3.ts";
import type { SubtitleText } from "./subtitle-text.ts";
import { parseXmlCaptions } from "./xml-captions.ts";

export function readSubtitleText(text: string, extension: string): SubtitleText {
  const content = text.replace(/^\uFEFF/, "").trimStart();
  const isCueFile = extension === "srt" || extension === "vtt";
  if (content.startsWith("{") && !isCueFile) return parseJson3(parseJson(content));
  if (content.startsWith("<") && !isCueFile) return parseXmlCaptions(content);
  const { cues, language } = parseCues(content);
  const isRolling = areRollingCaptions(cues);
  const lines = isRolling
    ? dedupeRollingCaptions(cues)
    : cues.map((cue) => ({
        startS: cue.startS,
        durationS: roundToMilliseconds(cue.endS - cue.startS),
        text: cue.lines.join("\n"),
      }));
  return { lines, isRolling, language };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
