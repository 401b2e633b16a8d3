/**
 * Transcripts by youtube-transcript-api: `[{text, start, duration}]` with the video's id in the file name, or, in newer
 * versions, an object with video, language and such a list in `snippets`.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { baseName } from "#import/capture/document-records.ts";
import {
  readFilledText,
  readFlag,
  readItems,
  readLanguage,
  readNumber,
  readObject,
  readObjectAt,
} from "#import/capture/field-readers.ts";
import { readVideoId } from "./id-forms.ts";
import { collectTrack, findTrackVideo } from "./subtitles/collect-track.ts";
import { isForeignName, parseSubtitleName } from "./subtitles/file-name.ts";
import { addLine } from "./subtitles/lines-so-far.ts";

export const transcriptApi: Importer = {
  name: "youtube-transcript-api",

  detects(document, file) {
    if (document.kind !== "json") return false;
    if (isTranscript(document.value)) return true;
    const first: unknown = Array.isArray(document.value) ? document.value[0] : document.value;
    const atTop = document.location === undefined || document.location.path.length === 0;
    return isSnippet(first) && atTop && !isForeignName(baseName(file));
  },

  read(document, file, collect) {
    const transcript = isTranscript(document.value) ? readObjectAt(document.value) : undefined;
    const name = parseSubtitleName(baseName(file));
    const stated = readVideoId(transcript?.["video_id"]);
    const video = stated === undefined ? findTrackVideo(file, name) : { videoId: stated, isUncertain: false };
    if (video === null) return collect.refuse("subtitles_without_video: as in <title> [<id>].en.json");
    const lines = readLines(document, file, transcript?.["snippets"], collect);
    if (lines === null) return;
    collectTrack(
      {
        ...video,
        language: readLanguage(transcript?.["language_code"]) ?? name?.language ?? "und",
        automatic: readFlag(transcript?.["is_generated"]) ?? name?.automatic ?? false,
        lines,
      },
      collect,
    );
  },
};

/** Null after a refusal. */
function readLines(
  document: SourceDocument,
  file: SourceFile,
  snippets: unknown,
  collect: Collector,
): SubtitleLine[] | null {
  const value = snippets ?? document.value;
  if (Array.isArray(value)) return readItems(value).flatMap((item) => readLine(item) ?? []);
  return addLine(readLine(value), document, file, collect);
}

function isTranscript(value: unknown): boolean {
  const { video_id: videoId, snippets, title } = readObjectAt(value);
  if (readVideoId(videoId) === undefined || !Array.isArray(snippets)) return false;
  // A video that youtubei.js found has a title, and empty snippets.
  return snippets.length === 0 ? title === undefined : snippets.every(isSnippet);
}

function isSnippet(value: unknown): boolean {
  const { text, start, duration, ...rest } = readObject(value) ?? {};
  const complete = typeof text === "string" && typeof start === "number" && typeof duration === "number";
  return complete && Object.keys(rest).length === 0;
}

function readLine(value: unknown): SubtitleLine | undefined {
  const line = readObjectAt(value);
  const text = readFilledText(line["text"])?.trim();
  const [startS, durationS] = [readNumber(line["start"]), readNumber(line["duration"])];
  if (text === undefined || startS === undefined || durationS === undefined) return undefined;
  return startS < 0 || durationS < 0 ? undefined : { startS, durationS, text };
}
