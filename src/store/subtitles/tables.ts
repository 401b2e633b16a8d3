import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";

export const TRACK_COLUMNS = "post_id, language, automatic, lines, captured_at, source";

export interface TrackRow {
  post_id: string;
  language: string;
  automatic: boolean | number;
  /** JSON */
  lines: string;
  captured_at: number;
  source: string;
}

export function toTrack({ post_id, language, automatic, lines, captured_at, source }: TrackRow): SubtitleTrack {
  return {
    postId: post_id,
    language,
    automatic: Boolean(automatic),
    lines: JSON.parse(lines) as SubtitleLine[],
    capturedAt: captured_at,
    source,
  };
}
