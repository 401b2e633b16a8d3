/**
 * Transcripts as an object with `segments`: by youtubesearchpython, in milliseconds, and by Whisper, in seconds. Neither
 * names its video: `--of` or the name of the file does.
 */
import type { Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import { baseName } from "#import/capture/document-records.ts";
import {
  type Fields,
  readFilledText,
  readItems,
  readLanguage,
  readNumber,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { collectTrack, findTrackVideo } from "./subtitles/collect-track.ts";
import { isForeignName, parseSubtitleName } from "./subtitles/file-name.ts";

export const transcriptSegments: Importer = {
  name: "transcript segments",

  detects: (document, file) => hasSegments(document) && findVideo(document, file) !== null,

  read(document, file, collect) {
    const video = findVideo(document, file);
    if (video === null) return collect.refuse("subtitles_without_video: as in [<id>].en.json, or --of <id>");
    const { segments, languages, language } = readObjectAt(document.value);
    const isWhispered = readItems(segments).every(isHeard);
    const name = parseSubtitleName(baseName(file));
    const title = readFilledText(readObjects(languages).find(({ selected }) => selected === true)?.["title"]);
    collectTrack(
      {
        ...video,
        language: readLanguage(language) ?? name?.language ?? "und",
        automatic: isWhispered || title?.endsWith("(auto-generated)") === true || name?.automatic === true,
        lines: readObjects(segments).flatMap((segment) =>
          isWhispered
            ? readLine(segment["start"], segment["end"], 1, segment)
            : readLine(segment["startMs"], segment["endMs"], 1000, segment),
        ),
      },
      collect,
    );
  },
};

function hasSegments({ kind, value, origin }: SourceDocument): boolean {
  const segments = kind === "json" && origin.url === undefined ? readItems(readObjectAt(value)["segments"]) : [];
  return segments.length > 0 && (segments.every(isWritten) || segments.every(isHeard));
}

function isWritten(segment: unknown): boolean {
  const { text, startMs, endMs, startTime } = readObjectAt(segment);
  return [text, startMs, endMs, startTime].every((part) => typeof part === "string");
}

function isHeard(segment: unknown): boolean {
  const { text, start, end } = readObjectAt(segment);
  return typeof text === "string" && typeof start === "number" && typeof end === "number";
}

/** Whisper hears videos of any site, whose ids may have the same form: then the one that the name has must be stored. */
function findVideo({ value }: SourceDocument, file: SourceFile): ReturnType<typeof findTrackVideo> {
  const name = parseSubtitleName(baseName(file));
  if (isForeignName(baseName(file))) return null;
  if (readItems(readObjectAt(value)["segments"]).every(isWritten)) return findTrackVideo(file, name);
  const named = findTrackVideo({ ...file, subject: null }, name);
  return findTrackVideo(file, null) ?? (named === null ? null : { ...named, isUncertain: file.namesAreIds !== true });
}

function readLine(start: unknown, end: unknown, unit: number, segment: Fields): SubtitleLine[] {
  const [from, to] = [readNumber(start), readNumber(end)];
  const text = readFilledText(segment["text"])?.trim();
  if (text === undefined || from === undefined || to === undefined) return [];
  if (from < 0 || to < from || to > Number.MAX_SAFE_INTEGER) return [];
  return [{ startS: from / unit, durationS: roundToMilliseconds((to - from) / unit), text }];
}
