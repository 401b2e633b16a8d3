/** Collects a subtitle track and its video: subtitles alone prove that the video exists, if its id is certain. */
import type { Collector, SourceFile } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { videoIdInUrl } from "../id-forms.ts";
import type { SubtitleName } from "./file-name.ts";
import { isNamedById } from "./names-as-ids.ts";

interface CapturedTrack {
  videoId: string;
  /** BCP 47; `und` where it is unknown. */
  language: string;
  automatic: boolean;
  lines: SubtitleLine[];
  /** Then the track is refused unless the video is stored. */
  isUncertain?: boolean;
  /** Unix milliseconds; by default that of the document. */
  capturedAt?: number | undefined;
}

export function collectTrack({ videoId, ...track }: CapturedTrack, collect: Collector): void {
  if (track.lines.length === 0) return collect.refuse("subtitles_without_lines");
  if (track.isUncertain !== true) collect.post({ id: videoId, capturedAt: track.capturedAt });
  collect.subtitles({ postId: videoId, ...track });
}

/**
 * The video that a file of subtitles belongs to: in brackets in its name, in `--of`, or else the name itself. The name is
 * certain with `--names-are-ids`, in a folder of names like it, and if yt-dlp's description of the video is beside it.
 */
export function findTrackVideo(
  file: SourceFile,
  name: SubtitleName | null,
): { videoId: string; isUncertain: boolean } | null {
  const { subject } = file;
  if (name?.videoId != null && name.isCertain) return { videoId: name.videoId, isUncertain: false };
  const inSubject = videoIdInUrl(subject) ?? (/^[\w-]{11}$/.test(subject ?? "") ? subject : undefined);
  if (inSubject != null) return { videoId: inSubject, isUncertain: false };
  if (name?.videoId == null) return null;
  return { videoId: name.videoId, isUncertain: file.namesAreIds !== true && !isCertainBy(name, file.siblings?.()) };
}

function isCertainBy({ stem }: SubtitleName, siblings: ReadonlySet<string> = new Set()): boolean {
  return siblings.has(`${stem}.info.json`) || isNamedById(stem, siblings);
}
