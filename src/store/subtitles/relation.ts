import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDocId } from "#store/search/port.ts";
import { type Captured, isOutdated, type Relation } from "#store/write/relation.ts";

interface TrackLines extends Captured {
  /** JSON */
  lines: string;
}

interface SubtitleRow extends TrackLines {
  platform: PlatformName;
  post_id: string;
  language: string;
  automatic: boolean;
  source: string;
}

export const SUBTITLE_ROWS: Relation<SubtitleTrack, TrackLines, SubtitleRow> = {
  kind: "subtitles",
  restored: ["lines", "captured_at", "source"],
  keyOf: ({ post_id, language, automatic }) => [post_id, language, automatic],
  toRow: (platform, { postId: post_id, language, automatic, lines, capturedAt: captured_at, source }) => {
    return { platform, post_id, language, automatic, lines: JSON.stringify(lines), captured_at, source };
  },
  merge: (stored, incoming) => (isOutdated(stored, incoming, stored?.lines === incoming.lines) ? null : incoming),
  document: {
    kindOf: () => "subtitle",
    idOf: ({ post_id, language, automatic }) => subtitleDocId(post_id, language, automatic),
    sourceOf: ({ lines }) => lines,
    of: ({ lines, language }) => subtitleDocument({ lines: JSON.parse(lines) as SubtitleLine[], language }),
  },
};
