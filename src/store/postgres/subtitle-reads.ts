/** Subtitle tracks of posts. */
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { Sql } from "./sql.ts";
import type { SubtitleRow } from "./tables.ts";

/** Prefers the track written by people to the automatic one. */
export async function getSubtitles(
  sql: Sql,
  platform: PlatformName,
  postId: string,
  language: string,
): Promise<SubtitleTrack | null> {
  const row = await sql.get<SubtitleRow>(
    `SELECT * FROM subtitles
     WHERE post_id = $1 AND platform = $2 AND language = $3 ORDER BY automatic LIMIT 1`,
    postId,
    platform,
    language,
  );
  return row === undefined ? null : { ...toTrack(row), postId, language };
}

export function toTrack({ post_id, language, automatic, lines, captured_at, source }: SubtitleRow): SubtitleTrack {
  return {
    postId: post_id,
    language,
    automatic,
    lines: JSON.parse(lines) as SubtitleLine[],
    capturedAt: captured_at,
    source,
  };
}
