/** Parses the name of a subtitle file: which video, which language, which format. */
import { readIssuedId } from "../id-forms.ts";
import { parseTrackLanguage } from "#import/capture/subtitles/track-language.ts";

export const SUBTITLE_EXTENSIONS: ReadonlySet<string> = new Set([
  "json3",
  "srv1",
  "srv2",
  "srv3",
  "ttml",
  "vtt",
  "srt",
]);

export interface SubtitleName {
  videoId: string | null;
  /** The id is in brackets. Eleven characters alone may as well be a word. */
  isCertain: boolean;
  /** Without language and ending. */
  stem: string;
  language: string | null;
  automatic: boolean;
  extension: string;
}

/** `<title> [<id>].<language>.<ending>`, `<title>-<id>.<language>.<ending>` or `<id>.<language>.<ending>`. */
export function parseSubtitleName(fileName: string): SubtitleName | null {
  const parts = fileName.split(".");
  const ending = parts.pop()?.toLowerCase() ?? "";
  if (parts.length === 0) return null;
  const language = parts.length > 1 ? parseTrackLanguage(parts.at(-1) ?? "") : null;
  const stems = [...(language === null ? [] : [parts.slice(0, -1).join(".")]), parts.join(".")];
  const stem = stems.find((candidate) => videoIdIn(candidate) !== null) ?? parts.join(".");
  return {
    videoId: videoIdIn(stem),
    isCertain: BRACKETED.test(stem),
    stem,
    language: language?.code ?? null,
    automatic: language?.automatic ?? false,
    extension: ending,
  };
}

const BRACKETED = /\[([\w-]{11})\]$/;

function videoIdIn(stem: string): string | null {
  const bracketed = BRACKETED.exec(stem)?.[1];
  if (bracketed !== undefined) return bracketed;
  if (/^[\w-]{11}$/.test(stem)) return stem;
  // Any eleven characters after a dash would match, so require an id that YouTube can have issued.
  const tail = /-([\w-]{11})$/.exec(stem)?.[1] ?? "";
  return readIssuedId(tail) ?? null;
}

/** A file of another platform by the same tools: `<title> [<long number>].<language>.vtt` or `<long number>.vtt`. */
export function isForeignName(fileName: string): boolean {
  const parts = fileName.split(".");
  return endsInLongNumber(parts, 1) || endsInLongNumber(parts, 2);
}

/** Whether the name without its last `extensions` parts ends in a long number, or in `<long number>_<more>`. */
function endsInLongNumber(parts: readonly string[], extensions: number): boolean {
  if (parts.length <= extensions || parts.slice(-extensions).includes("")) return false;
  const stem = parts.slice(0, -extensions).join(".").replace(/\]$/, "");
  const word = stem.split(/[^\w-]/).at(-1) ?? "";
  // Include the character before the word, if there is one.
  return /(?:^|[-_[ ])\d{15,}(?:$|_[\w-])/.test(stem.slice(-word.length - 1));
}
