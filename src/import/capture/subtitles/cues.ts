/**
 * Parses WebVTT and SubRip. Headers, notes, styles, cue numbers and cues with broken times are skipped, so one bad cue
 * does not cost the rest of the file.
 */
import { roundToMilliseconds } from "#domain/time.ts";
import { readFilledText } from "../field-readers.ts";
import { htmlToText } from "../html-text.ts";

export interface Cue {
  startS: number;
  endS: number;
  /** Never empty. */
  lines: string[];
  /** Has a timestamp per word, as speech recognition writes it. */
  hasWordTimes: boolean;
}

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})(?:\s|$)/;
const NUMBER = /^\d+\s*$/;
const WORD_TIME = /<\d[\d:.]+>/;
/** Also matches an unclosed tag, so that it is not tried again from each `<` inside it. */
const TAG = /<\/?[a-z][^>]*>?|<\d[\d:.]+>/gi;

export function parseCues(text: string): { cues: Cue[]; language: string | undefined } {
  const cues: Cue[] = [];
  let times: { startS: number; endS: number } | null = null;
  let raw: string[] = [];
  let number = Number.NaN;
  let before = "";
  let language: string | undefined;

  function finishCue(): void {
    if (times !== null) {
      const lines = raw.flatMap((line) => toPlainLine(line) ?? []);
      if (lines.length > 0) cues.push({ ...times, lines, hasWordTimes: raw.some((line) => WORD_TIME.test(line)) });
    }
    times = null;
    raw = [];
  }

  for (const line of text.split(/\r\n|\r|\n/)) {
    const match = TIMES.exec(line);
    if (match !== null) {
      const next = NUMBER.test(before) ? Number(before) : Number.NaN;
      // This cue's number follows the last one's text directly, or after an empty line that contains spaces.
      if (next === number + 1 || (raw.at(-2)?.trim() === "" && !Number.isNaN(next))) raw.pop();
      number = next;
      finishCue();
      const [startS, endS] = [parseClock(match[1] ?? ""), parseClock(match[2] ?? "")];
      times = endS >= startS ? { startS, endS } : null;
    } else if (line === "") {
      finishCue();
    } else if (times !== null) {
      raw.push(line);
    } else if (cues.length === 0) {
      language ??= /^Language:\s*([A-Za-z0-9-]+)\s*$/.exec(line)?.[1];
    }
    before = line;
  }
  finishCue();
  return { cues, language };
}

/** `1:02:03.456`, with a comma in SubRip; the hours may be missing. */
function parseClock(clock: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = clock.replace(",", ".").split(":").toReversed().map(Number);
  return roundToMilliseconds(hours * 3600 + minutes * 60 + seconds);
}

/** Without tags and with entities decoded. A `<` that opens no closed tag is text. */
function toPlainLine(line: string): string | undefined {
  const untagged = line.replaceAll(TAG, (tag) => (tag.endsWith(">") ? "" : tag));
  return readFilledText(htmlToText(untagged.replaceAll("<", "&lt;"))?.trim());
}
