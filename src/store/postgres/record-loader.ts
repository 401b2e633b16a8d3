/** Loads the records that a search found, of any platform: one statement per table. */
import type { Comment } from "#domain/comment.ts";
import type { StoredRecord } from "#domain/record.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { RecordLoader } from "../search-queries.ts";
import { RowCache } from "./row-cache.ts";
import type { Sql } from "./sql.ts";
import { toTrack } from "./subtitle-reads.ts";
import type { CommentRow, RecordTableRow, SubtitleRow } from "./tables.ts";

/**
 * Each column of the key is looked up by itself: a few rows too many are read, but every plan uses the primary key, and
 * Citus asks only the machines that store one of the ids.
 */
export function createRecordLoader(sql: Sql): RecordLoader {
  return {
    async records(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<RecordRow & Pick<RecordTableRow, "platform" | "kind">>(
        `SELECT ${RECORD_COLUMNS}, platform, kind FROM records
         WHERE id = ANY($1) AND platform = ANY($2) AND kind = ANY($3)`,
        distinct(keys, ({ id }) => id),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ kind }) => kind),
      );
      const found = new RowCache<RecordRow>();
      for (const { platform, kind, ...row } of rows) found.load([platform, kind, row.id], row);
      return keys.map(({ platform, kind, id }) => toRecord<StoredRecord<object>>(found.get([platform, kind, id])));
    },

    async comments(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<RecordRow & Pick<CommentRow, "platform" | "post_id">>(
        `SELECT ${RECORD_COLUMNS}, platform, post_id FROM comments
         WHERE post_id = ANY($1) AND platform = ANY($2) AND id = ANY($3)`,
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ id }) => id),
      );
      const found = new RowCache<RecordRow>();
      for (const { platform, post_id, ...row } of rows) found.load([platform, post_id, row.id], row);
      return keys.map(({ platform, postId, id }) => toRecord<Comment>(found.get([platform, postId, id])));
    },

    async subtitles(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all<SubtitleRow>(
        "SELECT * FROM subtitles WHERE post_id = ANY($1) AND platform = ANY($2) AND language = ANY($3)",
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ language }) => language),
      );
      const found = new RowCache<SubtitleRow>();
      for (const row of rows) found.load([row.platform, row.post_id, row.language, String(row.automatic)], row);
      return keys.map(({ platform, postId, language, automatic }) => {
        const row = found.get([platform, postId, language, String(automatic)]);
        return row === undefined ? null : toTrack(row);
      });
    },
  };
}

function distinct<Key>(keys: readonly Key[], part: (key: Key) => string): string[] {
  return [...new Set(keys.map(part))];
}

function toRecord<Stored extends StoredRecord<object>>(row: RecordRow | undefined): Stored | null {
  return row === undefined ? null : parseRecordRow<Stored>(row);
}
