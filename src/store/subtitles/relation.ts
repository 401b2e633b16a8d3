import { parseJsonText, toJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDocId } from "#store/search/port.ts";
import { isOutdated, type Relation } from "#store/write/relation.ts";

type SubtitleRow = ReturnType<typeof toRow>;

function toRow(
  platform: PlatformName,
  { postId: post_id, language, automatic, lines, capturedAt: captured_at, source }: SubtitleTrack,
) {
  return { platform, post_id, language, automatic, lines: toJsonText(lines), captured_at, source };
}

export const SUBTITLE_ROWS: Relation<SubtitleTrack, Pick<SubtitleRow, "lines" | "captured_at">, SubtitleRow> = {
  kind: "subtitles",
  restored: ["lines", "captured_at", "source"],
  keyOf: ({ post_id, language, automatic }) => [post_id, language, automatic],
  toRow,
  merge: (stored, incoming) => (isOutdated(stored, incoming, stored?.lines === incoming.lines) ? null : incoming),
  document: {
    kindOf: () => "subtitle",
    idOf: ({ post_id, language, automatic }) => subtitleDocId(post_id, language, automatic),
    sourceOf: ({ lines }) => lines,
    of: ({ lines, language }) => subtitleDocument({ lines: parseJsonText(lines), language }),
  },
};
