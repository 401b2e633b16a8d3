/** The lines of a subtitle text, by the format that its ending or its first letters name. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { readCues } from "./cues.ts";
import { readJson3 } from "./json3.ts";
import { rolledOut } from "./dedupe-rolling-captions.ts";
import type { SubtitleText } from "./subtitle-text.ts";
import { readXmlCaptions } from "./xml-captions.ts";

export function readSubtitleText(text: string, ending: string): SubtitleText {
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (start.startsWith("{") && ending !== "srt" && ending !== "vtt") return readJson3(parsed(start));
  if (start.startsWith("<") && ending !== "srt" && ending !== "vtt") return readXmlCaptions(start);
  const { cues, language } = readCues(start);
  const rolling = cues.some(({ timedWords }) => timedWords);
  return { lines: rolling ? rolledOut(cues) : cues.map(whole), rolling, language };
}

function whole(cue: { startS: number; endS: number; lines: string[] }): SubtitleLine {
  const durationS = Math.round((cue.endS - cue.startS) * 1000) / 1000;
  return { startS: cue.startS, durationS, text: cue.lines.join("\n") };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
