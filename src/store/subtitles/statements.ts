import type { PlatformName } from "#domain/record.ts";
import { select } from "#store/sql/select.ts";
import type { Sql } from "#store/sql/sql.ts";
import type { SubtitleReader } from "./port.ts";
import { SUBTITLES, toTrack, TRACK_COLUMNS } from "./tables.ts";

export function createSubtitleReads(sql: Sql, platform: PlatformName): SubtitleReader {
  return {
    async listSubtitleLanguages(postId) {
      const rows = await sql.all(
        select(
          SUBTITLES,
          ["language", "automatic"],
          "WHERE post_id = $1 AND platform = $2 ORDER BY language, automatic",
        ),
        postId,
        platform,
      );
      return rows.map(({ language, automatic }) => ({ language, automatic: Boolean(automatic) }));
    },
    async getSubtitles(postId, language) {
      // The track written by people comes before the automatic one.
      const row = await sql.get(
        select(
          SUBTITLES,
          TRACK_COLUMNS,
          "WHERE post_id = $1 AND platform = $2 AND language = $3 ORDER BY automatic LIMIT 1",
        ),
        postId,
        platform,
        language,
      );
      return row === undefined ? null : { ...toTrack(row), postId, language };
    },
  };
}
