/**
 * Transcripts by youtube-transcript for Node.js: `[{text, duration, offset, lang}]`. Anything may have such a list, so it is
 * read only where `--of` or the name of the file names a video.
 */
import type { Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { baseName } from "#import/capture/document-records.ts";
import { type Fields, isFields, readLanguage, readNumber, readObjectAt } from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { collectTrack, findTrackVideo } from "./subtitles/collect-track.ts";
import { isForeignName, parseSubtitleName } from "./subtitles/file-name.ts";
import { addLine } from "./subtitles/lines-so-far.ts";

export const youtubeTranscript: Importer = {
  name: "youtube-transcript",

  detects: (document, file) =>
    document.kind === "json" &&
    isAtTop(document) &&
    isFields(document.value) &&
    isLine(document.value) &&
    isNamed(file),

  read(document, file, collect) {
    const name = parseSubtitleName(baseName(file));
    const video = findTrackVideo(file, name);
    if (video === null) return collect.refuse("subtitles_without_video: as in [<id>].en.json, or --of <id>");
    const value = readObjectAt(document.value);
    if (document.index === 0) units.set(file, findUnit(value));
    const lines = addLine(readLine(value, units.get(file) ?? 1), document, file, collect);
    if (lines === null) return;
    const language = readLanguage(value["lang"]) ?? name?.language ?? "und";
    collectTrack({ ...video, language, automatic: name?.automatic ?? false, lines }, collect);
  },
};

function isAtTop({ location, origin }: SourceDocument): boolean {
  return origin.url === undefined && (location === undefined || location.path.length === 0);
}

function isLine({ text, duration, offset, lang, ...rest }: Fields): boolean {
  const isComplete = typeof text === "string" && typeof duration === "number" && typeof offset === "number";
  return isComplete && ["string", "undefined"].includes(typeof lang) && Object.keys(rest).length === 0;
}

function isNamed(file: SourceFile): boolean {
  const name = baseName(file);
  return !isForeignName(name) && findTrackVideo(file, parseSubtitleName(name)) !== null;
}

/** How many units of the file are a second. */
const units = new WeakMap<SourceFile, number>();

/** Before version 1.1 it wrote whole milliseconds; no line takes a hundred seconds. */
function findUnit({ offset, duration }: Fields): number {
  return Number.isInteger(offset) && Number.isInteger(duration) && Number(duration) >= 100 ? 1000 : 1;
}

function readLine(value: Fields, unit: number): SubtitleLine | undefined {
  // The tool leaves text as it is in the XML, where YouTube escapes it twice.
  const text = htmlToText(htmlToText(value["text"]))?.trim();
  const [offset, duration] = [readNumber(value["offset"]), readNumber(value["duration"])];
  if (text === undefined || offset === undefined || duration === undefined) return undefined;
  if (offset < 0 || duration < 0) return undefined;
  return { startS: offset / unit, durationS: duration / unit, text };
}
