/** Subtitle tracks of posts. */
import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { RowCache } from "./row-cache.ts";
import type { Sql } from "./sql.ts";
import type { SubtitleRow } from "./tables.ts";

type TrackKey = Pick<SubtitleTrack, "postId" | "language" | "automatic">;

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

/** In the order of the keys; null for missing tracks. */
export async function listTracks(
  sql: Sql,
  platform: PlatformName,
  keys: readonly TrackKey[],
): Promise<(SubtitleTrack | null)[]> {
  if (keys.length === 0) return [];
  const rows = await sql.all<SubtitleRow>(
    `SELECT * FROM subtitles WHERE post_id = ANY($1) AND platform = $2 AND language = ANY($3)`,
    keys.map(({ postId }) => postId),
    platform,
    keys.map(({ language }) => language),
  );
  const found = new RowCache<SubtitleRow>();
  for (const row of rows) found.load([row.post_id, row.language, String(row.automatic)], row);
  return keys.map(({ postId, language, automatic }) => {
    const row = found.get([postId, language, String(automatic)]);
    return row === undefined ? null : toTrack(row);
  });
}

function toTrack({ post_id, language, automatic, lines, captured_at, source }: SubtitleRow): SubtitleTrack {
  return {
    postId: post_id,
    language,
    automatic,
    lines: JSON.parse(lines) as SubtitleLine[],
    capturedAt: captured_at,
    source,
  };
}
