import type { PlatformName } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";

interface TrackRow {
  post_id: string;
  language: string;
  automatic: boolean;
  /** JSON */
  lines: string;
  captured_at: number;
  source: string;
}

type TrackKey = Pick<SubtitleTrack, "postId" | "language" | "automatic">;

const COLUMNS = "post_id, language, automatic, lines, captured_at, source";

/** The one that people wrote before the automatic one. */
export async function getSubtitles(
  db: Sql,
  platform: PlatformName,
  postId: string,
  language: string,
): Promise<SubtitleTrack | null> {
  const row = await db.get<TrackRow>(
    `SELECT ${COLUMNS} FROM subtitles
     WHERE post_id = $1 AND platform = $2 AND language = $3 ORDER BY automatic LIMIT 1`,
    postId,
    platform,
    language,
  );
  return row === undefined ? null : { ...trackOf(row), postId, language };
}

/** In the order asked for; null for those not held. */
export async function listTracks(
  db: Sql,
  platform: PlatformName,
  keys: readonly TrackKey[],
): Promise<(SubtitleTrack | null)[]> {
  if (keys.length === 0) return [];
  const rows = await db.all<TrackRow>(
    `SELECT ${COLUMNS} FROM subtitles WHERE post_id = ANY($1) AND platform = $2 AND language = ANY($3)`,
    keys.map(({ postId }) => postId),
    platform,
    keys.map(({ language }) => language),
  );
  const found = new RowCache<TrackRow>();
  for (const row of rows) found.load([row.post_id, row.language, String(row.automatic)], row);
  return keys.map(({ postId, language, automatic }) => {
    const row = found.get([postId, language, String(automatic)]);
    return row === undefined ? null : trackOf(row);
  });
}

function trackOf({ post_id, language, automatic, lines, captured_at, source }: TrackRow): SubtitleTrack {
  const spoken = JSON.parse(lines) as SubtitleLine[];
  return { postId: post_id, language, automatic, lines: spoken, capturedAt: captured_at, source };
}
