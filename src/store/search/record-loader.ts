/**
 * The records behind a page of matches: one statement per table. With Citus, a match and its record may be on different
 * machines, so pages read ids first; then one statement asks the machines that store one of them. Of a key with several
 * columns each is looked up by itself: a few rows too many are read, but every plan uses the primary key.
 */
import type { Comment } from "#domain/comment.ts";
import type { StoredRecord } from "#domain/record.ts";
import { COMMENTS } from "#store/comments/tables.ts";
import { RECORDS } from "#store/records/tables.ts";
import { select } from "#store/sql/select.ts";
import type { Sql } from "#store/sql/sql.ts";
import { SUBTITLES, toTrack, TRACK_COLUMNS } from "#store/subtitles/tables.ts";
import { parseRecordRow, RECORD_ROW, type RecordRow } from "#store/write/record-row.ts";
import type { RecordKey } from "#store/write/record-row.ts";
import type { RecordLoader, TrackKey } from "./queries.ts";

export function createRecordLoader(sql: Sql): RecordLoader {
  return {
    async records<Stored extends StoredRecord<object>>(keys: readonly RecordKey[]) {
      if (keys.length === 0) return [];
      const rows = await sql.all(
        select(
          RECORDS,
          [...RECORD_ROW, "platform", "kind"],
          "WHERE id = ANY($1) AND platform = ANY($2) AND kind = ANY($3)",
        ),
        distinct(keys, ({ id }) => id),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ kind }) => kind),
      );
      const find = indexRows(rows, ({ platform, kind, id }) => [platform, kind, id]);
      return keys.map(({ platform, kind, id }) => parse<Stored>(find(platform, kind, id)));
    },

    async comments(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all(
        select(
          COMMENTS,
          [...RECORD_ROW, "platform", "post_id"],
          "WHERE post_id = ANY($1) AND platform = ANY($2) AND id = ANY($3)",
        ),
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ id }) => id),
      );
      const find = indexRows(rows, ({ platform, post_id, id }) => [platform, post_id, id]);
      return keys.map(({ platform, postId, id }) => parse<Comment>(find(platform, postId, id)));
    },

    async subtitles(keys) {
      if (keys.length === 0) return [];
      const rows = await sql.all(
        select(
          SUBTITLES,
          [...TRACK_COLUMNS, "platform"],
          "WHERE post_id = ANY($1) AND platform = ANY($2) AND language = ANY($3)",
        ),
        distinct(keys, ({ postId }) => postId),
        distinct(keys, ({ platform }) => platform),
        distinct(keys, ({ language }) => language),
      );
      const keyOf = (key: TrackKey) => [key.platform, key.postId, key.language, String(key.automatic)];
      const find = indexRows(rows, ({ post_id, automatic, ...row }) =>
        keyOf({ ...row, postId: post_id, automatic: Boolean(automatic) }),
      );
      return keys.map((key) => {
        const row = find(...keyOf(key));
        return row === undefined ? null : toTrack(row);
      });
    },
  };
}

function distinct<Key>(keys: readonly Key[], part: (key: Key) => string): string[] {
  return [...new Set(keys.map(part))];
}

/** Keys are compared as they are stored: unpaired surrogates become U+FFFD. */
function indexRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string[]): (...key: string[]) => Row | undefined {
  const byKey = new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row]));
  return (...key) => byKey.get(JSON.stringify(key.map((part) => part.toWellFormed())));
}

function parse<Stored extends StoredRecord<object>>(row: RecordRow | undefined): Stored | null {
  return row === undefined ? null : parseRecordRow<Stored>(row);
}
