/** What the name of a subtitle file says: which video, which language, which format. */
import { readLanguage } from "#import/capture/field-readers.ts";

export const SUBTITLE_ENDINGS = ["json3", "srv1", "srv2", "srv3", "ttml", "vtt", "srt"] as const;
export type SubtitleEnding = (typeof SUBTITLE_ENDINGS)[number];

export interface SubtitleName {
  videoId: string | null;
  language: string | null;
  automatic: boolean;
  ending: string;
}

/** `<title> [<id>].<language>.<ending>`, `<title>-<id>.<language>.<ending>` or `<id>.<language>.<ending>`. */
export function subtitleNameOf(fileName: string): SubtitleName | null {
  const parts = fileName.split(".");
  const ending = parts.pop()?.toLowerCase() ?? "";
  if (parts.length === 0) return null;
  const last = parts.length > 1 ? spokenLanguage(parts.at(-1) ?? "") : null;
  const whole = parts.join(".");
  const withoutLanguage = last === null ? null : parts.slice(0, -1).join(".");
  const videoId = (withoutLanguage === null ? null : videoIdIn(withoutLanguage)) ?? videoIdIn(whole);
  return { videoId, language: last?.code ?? null, automatic: last?.automatic ?? false, ending };
}

/** `en`, `en-GB`; `en-orig` is what the platform's speech recognition heard. */
export function spokenLanguage(name: string): { code: string; automatic: boolean } | null {
  const automatic = name.endsWith("-orig");
  const code = readLanguage(automatic ? name.slice(0, -"-orig".length) : name);
  return code === undefined ? null : { code, automatic };
}

/** Sixty-four bits in base 64: of the last letter's six bits two are nought, so real ids end in one of sixteen letters. */
const REAL_ID = /^[\w-]{10}[AEIMQUYcgkosw048]$/;

export function videoIdIn(stem: string): string | null {
  const bracketed = /\[([\w-]{11})\]$/.exec(stem)?.[1];
  if (bracketed !== undefined) return bracketed;
  if (/^[\w-]{11}$/.test(stem)) return stem;
  // Any eleven letters after a dash would do here: ask for an id that the platform can have given.
  const tail = /-([\w-]{11})$/.exec(stem)?.[1] ?? "";
  return REAL_ID.test(tail) ? tail : null;
}

/** Another platform's file of the same tools: `<title> [<long number>].<language>.vtt` or `<long number>.vtt`. */
export function isForeignName(fileName: string): boolean {
  const parts = fileName.split(".");
  return endsInLongNumber(parts, 1) || endsInLongNumber(parts, 2);
}

/** Whether what stands before so many endings does, with or without more after it: `<long number>_<more>`. */
function endsInLongNumber(parts: readonly string[], endings: number): boolean {
  if (parts.length <= endings || parts.slice(-endings).includes("")) return false;
  const stem = parts.slice(0, -endings).join(".").replace(/\]$/, "");
  const word = stem.split(/[^\w-]/).at(-1) ?? "";
  // With the character before the word, if there is one.
  return /(?:^|[-_[ ])\d{15,}(?:$|_[\w-])/.test(stem.slice(-word.length - 1));
}
