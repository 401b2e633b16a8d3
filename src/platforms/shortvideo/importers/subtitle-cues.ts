/** Spoken words that a capture carries as SRT or WebVTT text. */
import type { SubtitleLine } from "#domain/subtitle.ts";

const TIMES = /^\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{3})\s+-->\s+(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{3})/;

export function readCues(text: string): SubtitleLine[] {
  return text
    .replaceAll("\r", "")
    .split(/\n{2,}/)
    .flatMap((block) => readCue(block.split("\n")) ?? []);
}

function readCue(lines: string[]): SubtitleLine | undefined {
  const at = lines.findIndex((line) => TIMES.test(line));
  const times = TIMES.exec(lines[at] ?? "");
  if (times === null) return undefined;
  const [start = 0, end = 0] = [times.slice(1, 5), times.slice(5, 9)].map(secondsOf);
  const spoken = lines
    .slice(at + 1)
    .join("\n")
    // What never closes is no tag; matched too, it is not tried again from each `<` in it.
    .replaceAll(/<[^>]*>?/g, (tag) => (tag.endsWith(">") ? "" : tag))
    .trim();
  if (spoken === "" || end < start) return undefined;
  return { startS: start, durationS: Math.round((end - start) * 1000) / 1000, text: spoken };
}

function secondsOf([hours, minutes, seconds, milliseconds]: (string | undefined)[]): number {
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}
