/**
 * WebVTT and SubRip. A cue is a line of two times and the lines below it up to an empty one; whatever else a file holds
 * (headers, notes, styles, numbers, broken times) is passed over, so that one bad cue costs no other.
 */
import { readFilledText } from "#import/capture/field-readers.ts";
import { plainTextOf } from "../html-text.ts";

export interface Cue {
  startS: number;
  endS: number;
  /** Never empty. */
  lines: string[];
  timedWords: boolean;
}

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})(?:\s|$)/;
const WORD_TIME = /<\d[\d:.]+>/;

export function readCues(text: string): { cues: Cue[]; language: string | undefined } {
  const cues: Cue[] = [];
  let times: { startS: number; endS: number } | null = null;
  let raw: string[] = [];
  let language: string | undefined;

  function finish(): void {
    if (times !== null) {
      const lines = raw.flatMap((line) => shownText(line) ?? []);
      if (lines.length > 0) cues.push({ ...times, lines, timedWords: raw.some((line) => WORD_TIME.test(line)) });
    }
    times = null;
    raw = [];
  }

  for (const line of text.split(/\r\n|\r|\n/)) {
    const found = TIMES.exec(line);
    if (found !== null) {
      finish();
      const [startS, endS] = [secondsOf(found[1] ?? ""), secondsOf(found[2] ?? "")];
      times = endS >= startS ? { startS, endS } : null;
    } else if (line === "") {
      finish();
    } else if (times !== null) {
      raw.push(line);
    } else if (cues.length === 0) {
      language ??= /^Language:\s*([A-Za-z0-9-]+)\s*$/.exec(line)?.[1];
    }
  }
  finish();
  return { cues, language };
}

/** `1:02:03.456`, with a comma in SubRip; the hours may be missing. */
function secondsOf(clock: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = clock.replace(",", ".").split(":").toReversed().map(Number);
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000) / 1000;
}

function shownText(line: string): string | undefined {
  return readFilledText(plainTextOf(line.replaceAll(/<\/?[a-z][^<>]*>|<\d[\d:.]+>/gi, ""))?.trim());
}
