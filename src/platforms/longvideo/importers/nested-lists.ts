/** Transcripts and comments inside a video's row, which name their video by standing there. */
import type { Collector } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { roundToMilliseconds } from "#domain/time.ts";
import {
  type Fields,
  isFields,
  readCount,
  readFilledText,
  readFlag,
  readLanguage,
  readNumber,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseCell } from "#import/capture/nested-row.ts";
import { readSubtitleText } from "#import/capture/subtitles/read-subtitle-text.ts";
import { parseClockDuration } from "#import/capture/table-cells.ts";
import { readCommentWithin } from "./comment-tables.ts";
import { collectTrack } from "./subtitles/collect-track.ts";

const TRANSCRIPT =
  /^(?:(?:formatted|full|video|timed)_?)?(?:transcripts?|transcription|subtitles|captions)(?:_?(?:segments|lines|list|data))?$/i;
const COMMENTS = /^(?:(?:top|latest|newest|video)_?)?comments(?:_?(?:list|data|threads))?$/i;

/** Names of the list within an object that says more of it. */
const LINE_LISTS = ["segments", "snippets", "lines", "transcript", "cues", "data", "content"];
const COMMENT_LISTS = ["comments", "items", "data", "results", "list"];

export function collectNestedLists(
  row: Fields,
  videoId: string,
  capturedAt: { document: number | null; row: number | undefined },
  collect: Collector,
): void {
  for (const [name, cell] of Object.entries(row)) {
    const isTranscript = TRANSCRIPT.test(name);
    if (!isTranscript && !COMMENTS.test(name)) continue;
    const part = parseCell(cell);
    if (isTranscript) collectTranscript(part, videoId, capturedAt.row, collect);
    else collectComments(part, videoId, capturedAt, collect);
  }
}

/** A list of lines, an object with one, or a list of such objects, one per language. */
function collectTranscript(part: unknown, videoId: string, capturedAt: number | undefined, collect: Collector): void {
  const tracks = Array.isArray(part) && !readObjects(part).some(isLine) ? readObjects(part) : [part];
  for (const track of tracks) {
    const about = readObjectAt(track);
    const lines = readLines(track);
    if (lines.length === 0) continue;
    const kind = readFilledText(about["type"]) ?? readFilledText(about["kind"]) ?? "";
    const language = [about["languageCode"], about["language_code"], about["language"], about["lang"]];
    collectTrack(
      {
        videoId,
        language: language.map(readLanguage).find((code) => code !== undefined) ?? "und",
        automatic: readFlag(about["is_generated"]) ?? readFlag(about["isGenerated"]) ?? /^(?:asr|auto)/i.test(kind),
        lines,
        capturedAt,
      },
      collect,
    );
  }
}

function readLines(track: unknown): SubtitleLine[] {
  const about = readObjectAt(track);
  const written = ["srt", "vtt"].find((format) => readFilledText(about[format])?.includes("-->") === true);
  if (written !== undefined) return readSubtitleText(String(about[written]), written).lines;
  const list = Array.isArray(track) ? track : LINE_LISTS.map((name) => about[name]).find(Array.isArray);
  const lines = readObjects(list).flatMap((line) => readTimedText(line) ?? []);
  const unit = findUnit(lines);
  return lines.map(({ text, start, length }, index) => {
    const next = lines[index + 1]?.start ?? start;
    return {
      startS: roundToMilliseconds(start / unit),
      durationS: roundToMilliseconds(Math.max(0, length ?? next - start) / unit),
      text,
    };
  });
}

interface TimedText {
  text: string;
  start: number;
  length: number | undefined;
  /** Whether the column says so. */
  isMilliseconds: boolean;
}

const TEXT_NAMES = ["text", "line", "content", "caption", "subtitle", "segment"];
const UNIT = "(?:_?(?:time|at))?(?:_?(?:s|sec|seconds|ms|millis))?$";
const START = new RegExp(`^(?:t?_?start|offset|from|begin)${UNIT}`, "i");
const END = new RegExp(`^(?:end|to)${UNIT}`, "i");
const LENGTH = new RegExp(`^(?:d?_?duration|dur|length)${UNIT}`, "i");

function isLine(line: Fields): boolean {
  return readTimedText(line) !== undefined;
}

function readTimedText(line: Fields): TimedText | undefined {
  const find = (pattern: RegExp) =>
    Object.keys(line)
      .filter((name) => pattern.test(name))
      .flatMap((name) => {
        const value = readNumber(line[name]);
        const clock = value ?? parseClockDuration(line[name]);
        return clock === undefined ? [] : [{ name, value: clock }];
      })
      // Some write a clock beside the number.
      .toSorted((a, b) => Number(b.name.endsWith("s")) - Number(a.name.endsWith("s")))[0];
  const text = TEXT_NAMES.map((name) => htmlToText(line[name])?.trim()).find(
    (value) => value !== undefined && value !== "",
  );
  const [start, end, length] = [find(START), find(END), find(LENGTH)];
  if (text === undefined || start === undefined || start.value < 0) return undefined;
  return {
    text,
    start: start.value,
    length: length?.value ?? (end === undefined ? undefined : end.value - start.value),
    isMilliseconds: /m(?:s|illis)$/i.test(start.name),
  };
}

/** No line takes a hundred seconds. */
function findUnit(lines: readonly TimedText[]): 1 | 1000 {
  if (lines.some(({ isMilliseconds }) => isMilliseconds)) return 1000;
  const areWhole = lines.every(({ start, length }) => Number.isInteger(start) && Number.isInteger(length ?? 0));
  return areWhole && lines.some(({ length = 0 }) => length >= 100) ? 1000 : 1;
}

function collectComments(
  part: unknown,
  videoId: string,
  capturedAt: { document: number | null; row: number | undefined },
  collect: Collector,
): void {
  const about = readObjectAt(part);
  const list = Array.isArray(part) ? part : COMMENT_LISTS.map((name) => about[name]).find(Array.isArray);
  const total = isFields(part) ? [about["totalCount"], about["total"], about["count"]].map(readCount) : [];
  const comments = total.find((count) => count !== undefined);
  if (comments !== undefined) collect.post({ id: videoId, counters: { comments }, capturedAt: capturedAt.row });
  const origin = { videoId, capturedAt: capturedAt.row ?? capturedAt.document };
  for (const comment of readObjects(list)) readCommentWithin(comment, origin, collect);
}
