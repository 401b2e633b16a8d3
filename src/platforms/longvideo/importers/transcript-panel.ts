/**
 * The transcript beside a video, as the page fetches it: `/youtubei/v1/get_transcript`, each line of which names video and
 * track, and since 2026 `/youtubei/v1/get_panel`, whose lines have neither, nor an end.
 */
import type { Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { baseName } from "#import/capture/document-records.ts";
import {
  type Fields,
  readFilledText,
  readLanguage,
  readNumber,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { parseClockDuration } from "#import/capture/table-cells.ts";
import { readPageText } from "../recognise/page-text.ts";
import { readSubjectVideo, readVideoId } from "./id-forms.ts";
import { collectTrack, findTrackVideo } from "./subtitles/collect-track.ts";
import { parseSubtitleName } from "./subtitles/file-name.ts";

export const transcriptPanel: Importer = {
  name: "transcript panel",

  detects: ({ kind, value }) => kind === "json" && (listSegments(value).length > 0 || listItems(value).length > 0),

  read(document, file, collect) {
    const segments = listSegments(document.value);
    const track = segments.length > 0 ? readNamedTrack(segments, file) : readModernTrack(document, file);
    if (track === null) return collect.refuse("subtitles_without_video: as in [<id>].en.json, or --of <id>");
    collectTrack(track, collect);
  },
};

type Track = Parameters<typeof collectTrack>[0];

const SEGMENTS = ["content", "transcriptSearchPanelRenderer", "body", "transcriptSegmentListRenderer"];

/** Between them there may be headers of chapters. */
function listSegments(value: unknown): Fields[] {
  return readObjects(readObjectAt(value)["actions"])
    .map((action) => readObjectAt(action, "updateEngagementPanelAction", "content", "transcriptRenderer", ...SEGMENTS))
    .flatMap((list) => readObjects(list["initialSegments"]))
    .map((segment) => readObjectAt(segment, "transcriptSegmentRenderer"))
    .filter((segment) => "startMs" in segment);
}

function readNamedTrack(segments: Fields[], file: SourceFile): Track | null {
  const [id, track] = readFilledText(segments[0]?.["targetId"])?.split(".") ?? [];
  const videoId = readVideoId(id) ?? readSubjectVideo(file);
  if (videoId === undefined) return null;
  return { videoId, ...parseTrack(track), lines: segments.flatMap((segment) => readLine(segment) ?? []) };
}

/**
 * Base64 of a message: a tag, a length and a text, twice. The first text is `asr` if speech recognition made the track, the
 * second its language.
 */
function parseTrack(track = ""): { language: string; automatic: boolean } {
  const message = Buffer.from(track.replaceAll("%3D", "="), "base64");
  const kindEnd = 2 + (message[1] ?? 0);
  const kind = message.toString("latin1", 2, kindEnd);
  const language = message.toString("latin1", kindEnd + 2, kindEnd + 2 + (message[kindEnd + 1] ?? 0));
  return { language: readLanguage(language) ?? "und", automatic: kind === "asr" };
}

function readLine(segment: Fields): SubtitleLine | undefined {
  const [start, end] = [readNumber(segment["startMs"]), readNumber(segment["endMs"])];
  const text = readPageText(segment["snippet"])?.trim();
  if (text === undefined || start === undefined || end === undefined || start < 0 || end < start) return undefined;
  return { startS: start / 1000, durationS: (end - start) / 1000, text };
}

const PANEL = ["content", "engagementPanelSectionListRenderer", "content", "sectionListRenderer"];

/** Those of the transcript; the panel of chapters has others. */
function listItems(value: unknown): Fields[] {
  return readObjects(readObjectAt(value, ...PANEL)["contents"])
    .flatMap((section) => readObjects(readObjectAt(section, "itemSectionRenderer")["contents"]))
    .map((entry) => readObjectAt(entry, "macroMarkersPanelItemViewModel", "item", "timelineItemViewModel"))
    .filter((item) => readObjects(item["contentItems"]).some((content) => "transcriptSegmentViewModel" in content));
}

function readModernTrack({ value, origin }: SourceDocument, file: SourceFile): Track | null {
  // The name of a recording is not that of one response.
  const name = origin.url === undefined ? parseSubtitleName(baseName(file)) : null;
  const requested = parseRequest(origin.url);
  const video = requested === undefined ? findTrackVideo(file, name) : { videoId: requested };
  if (video === null) return null;
  const lines = listItems(value).flatMap(readItem);
  for (const [at, line] of lines.entries()) {
    line.durationS = Math.max((lines[at + 1]?.startS ?? line.startS) - line.startS, 0);
  }
  return { ...video, language: name?.language ?? "und", automatic: name?.automatic ?? false, lines };
}

/** The video in what was requested: base64 of a message in which it follows its tag and its length. */
function parseRequest(url: string | undefined): string | undefined {
  const params = URL.parse(url ?? "")?.searchParams.get("params") ?? "";
  const message = Buffer.from(params.replaceAll("%3D", "="), "base64").toString("latin1");
  return /^[^\n]{1,6}\n\v([\w-]{11})/.exec(message)?.[1];
}

/** One or more lines, as long as they begin. */
function readItem(item: Fields): SubtitleLine[] {
  return readObjects(item["contentItems"]).flatMap((content) => {
    const segment = readObjectAt(content, "transcriptSegmentViewModel");
    const text = readPageText(segment)?.trim();
    const startS = parseStart(segment["timestamp"]) ?? parseStart(item["timestamp"]);
    return text === undefined || startS === undefined ? [] : [{ startS, durationS: 0, text }];
  });
}

/** `8:43` or `1:02:03` */
function parseStart(timestamp: unknown): number | undefined {
  return timestamp === "0:00" ? 0 : parseClockDuration(timestamp);
}
