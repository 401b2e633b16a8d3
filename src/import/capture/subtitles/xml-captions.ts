/**
 * Caption tracks in XML: srv1 (`<text start dur>`, seconds), srv2 (`<text t d>`, milliseconds), srv3 (`<p t d>` with
 * `<s>` per word) and TTML (`<p begin end>`, clock times).
 */
import { Parser } from "htmlparser2";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { readFilledText, readLanguage, readNumber } from "#import/capture/field-readers.ts";
import { plainTextOf } from "../html-text.ts";
import type { SubtitleText } from "./subtitle-text.ts";

type Attributes = Record<string, string>;

interface Span {
  startS: number;
  durationS: number;
}

export function readXmlCaptions(xml: string): SubtitleText {
  const lines: SubtitleLine[] = [];
  let rolling = false;
  let language: string | undefined;
  let span: Span | null = null;
  let text = "";

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = name.replace(/^.*:/, "");
        if (tag === "tt") language = readLanguage(attributes["xml:lang"]);
        if (tag === "s" && ("t" in attributes || "ac" in attributes)) rolling = true;
        if (tag === "br") text += "\n";
        if (tag !== "text" && tag !== "p") return;
        const appended = attributes["append"] === "1" || attributes["a"] === "1";
        rolling ||= appended;
        span = appended ? null : spanOf(attributes);
        text = "";
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name) {
        const tag = name.replace(/^.*:/, "");
        if (tag !== "text" && tag !== "p") return;
        // srv1 escapes its text once more than XML asks for.
        const shown = readFilledText(plainTextOf(text)?.trim());
        if (span !== null && shown !== undefined) lines.push({ ...span, text: shown });
        span = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { lines, rolling, language };
}

function spanOf({ start, dur, t, d, begin, end }: Attributes): Span | null {
  if (start !== undefined) return checked(readNumber(start), readNumber(dur) ?? 0);
  if (t !== undefined) return checked(thousandth(readNumber(t)), thousandth(readNumber(d)) ?? 0);
  const from = clockSeconds(begin);
  const until = clockSeconds(end);
  if (from === undefined) return null;
  return checked(from, until === undefined ? (clockSeconds(dur) ?? 0) : until - from);
}

function checked(startS: number | undefined, durationS: number): Span | null {
  if (startS === undefined || startS < 0 || durationS < 0) return null;
  return { startS, durationS: Math.round(durationS * 1000) / 1000 };
}

function thousandth(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

/** `00:01:02.500`, or a number with a unit such as `62.5s`. */
function clockSeconds(value: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(value ?? "") ?? [];
  if (seconds !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value ?? "") ?? [];
  return amount === undefined ? undefined : Number(amount) / (unit === "ms" ? 1000 : 1);
}
