/** One subtitle track handed over, with the video it belongs to: subtitles alone are enough to know that it exists. */
import type { Collector } from "#api/importer.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";

export interface SeenTrack {
  videoId: string;
  /** BCP 47; `und` where nothing says. */
  language: string;
  automatic: boolean;
  lines: SubtitleLine[];
}

export function collectTrack({ videoId, ...track }: SeenTrack, collect: Collector): void {
  if (track.lines.length === 0) {
    collect.refuse("subtitles_without_lines");
    return;
  }
  collect.post({ id: videoId });
  collect.subtitles({ postId: videoId, ...track });
}
