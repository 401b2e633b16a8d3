/**
 * Transcripts as youtube-transcript-api writes them: `[{text, start, duration}]` with the video's id in the file's
 * name, or newer an object that names video and language and holds such a list as `snippets`.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
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
import { collectTrack } from "./subtitles/collect-track.ts";
import { isForeignName, subtitleNameOf } from "./subtitles/file-name.ts";
import { fileNameOf } from "./subtitle-files.ts";

export const transcriptApi: Importer = {
  name: "youtube-transcript-api",

  detects(document, file) {
    if (document.kind !== "json") return false;
    if (isTranscript(document.value)) return true;
    const [first] = Array.isArray(document.value) ? (document.value as unknown[]) : [document.value];
    const atTop = document.within === undefined || document.within.path.length === 0;
    return isSnippet(first) && atTop && !isForeignName(fileNameOf(file));
  },

  read(document, file, collect) {
    const transcript = isTranscript(document.value) ? readObjectAt(document.value) : undefined;
    const name = subtitleNameOf(fileNameOf(file));
    const videoId = readVideoId(transcript?.["video_id"]) ?? name?.videoId;
    if (videoId == null) {
      collect.refuse("subtitles_without_video: as in <id>.en.json");
      return;
    }
    const lines = linesOf(document, file, transcript?.["snippets"], collect);
    if (lines === null) return;
    collectTrack(
      {
        videoId,
        language: readLanguage(transcript?.["language_code"]) ?? name?.language ?? "und",
        automatic: readFlag(transcript?.["is_generated"]) ?? name?.automatic ?? false,
        lines,
      },
      collect,
    );
  },
};

/**
 * A list at the top of a file comes one element at a time, while a track is one whole. The lines seen so far are kept
 * for as long as the file is being read, and each line hands over all that came before it.
 */
const linesSeen = new WeakMap<SourceFile, SubtitleLine[]>();

/** Null where there is nothing to hand over, and the reason was given. */
function linesOf(
  document: SourceDocument,
  file: SourceFile,
  snippets: unknown,
  collect: Collector,
): SubtitleLine[] | null {
  const whole = snippets ?? document.value;
  if (Array.isArray(whole)) return readItems(whole).flatMap((item) => lineOf(item) ?? []);
  const seen = document.index === 0 ? [] : linesSeen.get(file);
  if (seen === undefined) {
    // An import that goes on after a kill has lost the lines before this one, and must not put the rest in their place.
    collect.refuse("transcript_interrupted");
    return null;
  }
  linesSeen.set(file, seen);
  const line = lineOf(whole);
  if (line === undefined) {
    collect.refuse("subtitle_line_incomplete");
    return null;
  }
  seen.push(line);
  return seen;
}

function isTranscript(value: unknown): boolean {
  const { video_id: videoId, snippets } = readObjectAt(value);
  return readVideoId(videoId) !== undefined && Array.isArray(snippets) && snippets.every(isSnippet);
}

function isSnippet(value: unknown): boolean {
  const { text, start, duration, ...rest } = readObject(value) ?? {};
  const complete = typeof text === "string" && typeof start === "number" && typeof duration === "number";
  return complete && Object.keys(rest).length === 0;
}

function lineOf(value: unknown): SubtitleLine | undefined {
  const { text, start, duration } = readObjectAt(value);
  const [shown, startS, durationS] = [readFilledText(text)?.trim(), readNumber(start), readNumber(duration)];
  if (shown === undefined || startS === undefined || durationS === undefined) return undefined;
  return startS < 0 || durationS < 0 ? undefined : { startS, durationS, text: shown };
}
