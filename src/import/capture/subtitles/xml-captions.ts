/**
 * Caption tracks in XML: srv1 (`<text start dur>`, seconds), srv2 (`<text t d>`, milliseconds), srv3 (`<p t d>` with
 * `<s>` per word) and TTML (`<p begin end>`, clock times).
 */
import { createHtmlParser } from "#import/containers/html-parser.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import { readFilledText, readLanguage, readNumber } from "../field-readers.ts";
import { htmlToText } from "../html-text.ts";
import type { SubtitleText } from "./subtitle-text.ts";

type TimeSpan = Omit<SubtitleLine, "text">;

export function parseXmlCaptions(xml: string): SubtitleText {
  const lines: SubtitleLine[] = [];
  let isRolling = false;
  let language: string | undefined;
  let span: TimeSpan | null = null;
  let text = "";

  const parser = createHtmlParser(
    {
      onopentag(name, attributes) {
        const tag = name.replace(/^.*:/, "");
        if (tag === "tt") language = readLanguage(attributes["xml:lang"]);
        if (tag === "s" && ("t" in attributes || "ac" in attributes)) isRolling = true;
        if (tag === "br") text += "\n";
        if (tag !== "text" && tag !== "p") return;
        const appends = attributes["append"] === "1" || attributes["a"] === "1";
        isRolling ||= appends;
        span = appends ? null : readTimeSpan(attributes);
        text = "";
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name) {
        const tag = name.replace(/^.*:/, "");
        if (tag !== "text" && tag !== "p") return;
        // srv1 escapes its text once more than XML requires.
        const plain = readFilledText((tag === "text" ? htmlToText(text) : text)?.trim());
        if (span !== null && plain !== undefined) lines.push({ ...span, text: plain });
        span = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { lines, isRolling, language };
}

function readTimeSpan({ start, dur, t, d, begin, end }: Record<string, string>): TimeSpan | null {
  if (start !== undefined) return toTimeSpan(readNumber(start), readNumber(dur) ?? 0);
  if (t !== undefined) return toTimeSpan((readNumber(t) ?? Number.NaN) / 1000, (readNumber(d) ?? 0) / 1000);
  const from = parseClock(begin);
  const until = parseClock(end);
  if (from === undefined) return null;
  return toTimeSpan(from, until === undefined ? (parseClock(dur) ?? 0) : until - from);
}

function toTimeSpan(startS: number | undefined, durationS: number): TimeSpan | null {
  if (startS === undefined || !(startS >= 0) || durationS < 0) return null;
  return { startS, durationS: roundToMilliseconds(durationS) };
}

/** `00:01:02.500`, or a number with a unit such as `62.5s`. */
function parseClock(value: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(value ?? "") ?? [];
  if (seconds !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value ?? "") ?? [];
  return amount === undefined ? undefined : Number(amount) / (unit === "ms" ? 1000 : 1);
}
