/** The transcript beside a video, as the page fetches it (`/youtubei/v1/get_transcript`): each line names video and track. */
import type { Importer } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import {
  type Fields,
  readFilledText,
  readLanguage,
  readNumber,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { readPageText } from "../recognise/page-text.ts";
import { readSubjectVideo, readVideoId } from "./id-forms.ts";
import { collectTrack } from "./subtitles/collect-track.ts";

export const transcriptPanel: Importer = {
  name: "transcript panel",

  detects: ({ kind, value }) => kind === "json" && listSegments(value).length > 0,

  read({ value }, file, collect) {
    const segments = listSegments(value);
    const [id, track] = readFilledText(segments[0]?.["targetId"])?.split(".") ?? [];
    const videoId = readVideoId(id) ?? readSubjectVideo(file);
    if (videoId === undefined) return collect.refuse("subtitles_without_video");
    collectTrack(
      { videoId, ...parseTrack(track), lines: segments.flatMap((segment) => readLine(segment) ?? []) },
      collect,
    );
  },
};

const PATH = ["content", "transcriptSearchPanelRenderer", "body", "transcriptSegmentListRenderer"];

/** Between them there may be headers of chapters. */
function listSegments(value: unknown): Fields[] {
  return readObjects(readObjectAt(value)["actions"])
    .map((action) => readObjectAt(action, "updateEngagementPanelAction", "content", "transcriptRenderer", ...PATH))
    .flatMap((list) => readObjects(list["initialSegments"]))
    .map((segment) => readObjectAt(segment, "transcriptSegmentRenderer"))
    .filter((segment) => "startMs" in segment);
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
