/** Loads the records that a search found, of any platform. */
import type { Comment } from "#domain/comment.ts";
import type { StoredRecord } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { RecordKey, RecordLoader } from "../search-queries.ts";
import type { Database } from "./database.ts";
import type { SubtitlesRow } from "./rows.ts";

export function createRecordLoader(db: Database): RecordLoader {
  return {
    records: async (keys) => keys.map((key) => getRecord(db, key)),
    comments: async (keys) =>
      keys.map(({ platform, postId, id }) => {
        const row = db.get<RecordRow>(
          `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`,
          platform,
          postId,
          id,
        );
        return row === undefined ? null : parseRecordRow<Comment>(row);
      }),
    subtitles: async (keys) =>
      keys.map(({ platform, postId, language, automatic }) => {
        const row = db.get<TrackRow>(
          `SELECT ${TRACK_COLUMNS} FROM subtitles
           WHERE platform = ? AND post_id = ? AND language = ? AND automatic = ?`,
          platform,
          postId,
          language,
          automatic ? 1 : 0,
        );
        return row === undefined ? null : toTrack(postId, language, row);
      }),
  };
}

export function getRecord<Stored extends StoredRecord<object>>(
  db: Database,
  { platform, kind, id }: RecordKey,
): Stored | null {
  const row = db.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`,
    platform,
    kind,
    id,
  );
  return row === undefined ? null : parseRecordRow<Stored>(row);
}

export const TRACK_COLUMNS = "automatic, lines, captured_at, source";

export type TrackRow = Pick<SubtitlesRow, "automatic" | "lines" | "captured_at" | "source">;

export function toTrack(postId: string, language: string, row: TrackRow): SubtitleTrack {
  return {
    postId,
    language,
    automatic: row.automatic === 1,
    lines: JSON.parse(row.lines) as SubtitleLine[],
    capturedAt: row.captured_at,
    source: row.source,
  };
}
