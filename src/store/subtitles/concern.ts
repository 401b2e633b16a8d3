import { parseJsonText } from "#domain/json-text.ts";
import { subtitleDocument } from "#search/documents.ts";
import { subtitleDocId } from "#store/search/port.ts";
import { batchesOf } from "#store/sql/sql.ts";
import { compositeKey } from "#store/undo/port.ts";
import type { Concern, Mention } from "#store/write/concern.ts";
import { keyedRows } from "#store/write/keyed-rows.ts";
import { findRowsWith } from "#store/write/mentions.ts";
import type { TrackRow } from "./tables.ts";

type TrackKey = Pick<TrackRow, "post_id" | "language" | "automatic">;

export const subtitles: Concern = {
  ...keyedRows({
    kind: "subtitles",
    table: "subtitles",
    key: ["post_id", "language", "automatic"],
    owners: { post: ["post_id"] },
  }),
  *findMentions(unit, sought) {
    const rows = yield* findRowsWith<TrackKey>(unit, "subtitles", "post_id, language, automatic", ["lines"], sought);
    return rows.map(({ post_id, language, automatic }): Mention => {
      return { kind: "subtitles", key: compositeKey(post_id, language, Boolean(automatic)) };
    });
  },
  /** All tracks of a post, since they have the same names in different spellings. */
  *scrub(unit, { platform, mentions, rules }, { counts }) {
    const postIds = mentions.flatMap(({ kind, key }) => (kind === "subtitles" ? [parseJsonText(key)[0]] : []));
    for (const batch of batchesOf([...new Set(postIds)])) {
      const rows = yield* unit.sql.all<TrackKey & Pick<TrackRow, "lines">>(
        "SELECT post_id, language, automatic, lines FROM subtitles WHERE post_id = ANY($1) AND platform = $2",
        batch,
        platform,
      );
      for (const { post_id, language, automatic: flag, lines: json } of rows) {
        const automatic = Boolean(flag);
        const lines = parseJsonText(json).map((line) => ({ ...line, text: rules.text(line.text) }));
        const scrubbed = JSON.stringify(lines);
        if (scrubbed === json) continue;
        counts.mention++;
        yield* unit.sql.run(
          "UPDATE subtitles SET lines = $1 WHERE post_id = $2 AND platform = $3 AND language = $4 AND automatic = $5",
          scrubbed,
          post_id,
          platform,
          language,
          automatic,
        );
        const id = subtitleDocId(post_id, language, automatic);
        unit.documents.put(platform, "subtitle", id, subtitleDocument({ language, lines }));
      }
    }
  },
};
