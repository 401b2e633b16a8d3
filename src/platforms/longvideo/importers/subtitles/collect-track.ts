/** Collects a subtitle track and its video: subtitles alone prove that the video exists. */
import type { Collector } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";

interface CapturedTrack {
  videoId: string;
  /** BCP 47; `und` where it is unknown. */
  language: string;
  automatic: boolean;
  lines: SubtitleLine[];
}

export function collectTrack({ videoId, ...track }: CapturedTrack, collect: Collector): void {
  if (track.lines.length === 0) return collect.refuse("subtitles_without_lines");
  collect.post({ id: videoId });
  collect.subtitles({ postId: videoId, ...track });
}
