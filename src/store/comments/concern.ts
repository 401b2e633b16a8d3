import { parseJsonText, toJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import { commentDocId } from "#store/search/port.ts";
import { batchesOf, type Steps } from "#store/sql/sql.ts";
import { compositeKey } from "#store/undo/port.ts";
import type { Concern, Mention } from "#store/write/concern.ts";
import { keyedRows } from "#store/write/keyed-rows.ts";
import { findRowsWith, scrubRow } from "#store/write/mentions.ts";
import { RECORD_COLUMNS, type RECORD_ROW } from "#store/write/record-row.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import type { CommentRow as Row } from "./tables.ts";

type CommentRow = Pick<Row, "post_id" | (typeof RECORD_ROW)[number]>;

const COLUMNS = `post_id, ${RECORD_COLUMNS}`;

export const comments: Concern = {
  ...keyedRows({
    kind: "comment",
    table: "comments",
    key: ["post_id", "id"],
    owners: { post: ["post_id"], account: ["author_id"], comment: ["id"] },
  }),
  *findMentions(unit, sought) {
    const rows = yield* findRowsWith<CommentKey>(unit, "comments", "post_id, id", ["header", "native"], sought);
    return rows.map(({ post_id, id }): Mention => ({ kind: "comment", key: compositeKey(post_id, id) }));
  },
  *scrub(unit, { platform, mentions, rules }, { counts }) {
    const keys = mentions.flatMap(({ kind, key }) => (kind === "comment" ? [parseJsonText(key)] : []));
    for (const batch of batchesOf(keys)) {
      const rows = yield* unit.sql.all<CommentRow>(
        `SELECT ${COLUMNS} FROM comments WHERE post_id = ANY($1) AND platform = $2 AND id = ANY($3)`,
        batch.map(([postId]) => postId),
        platform,
        batch.map(([, id]) => id),
      );
      for (const row of rows) {
        const scrubbed = scrubRow(row, rules);
        if (scrubbed === null) continue;
        counts.mention++;
        yield* rewrite(unit, platform, scrubbed);
      }
    }
  },
  *rekey(unit, { platform, from, to }) {
    const rows = yield* unit.sql.all<CommentRow>(
      // The range of author_id repeats the condition of the partial index, so that it is used.
      `SELECT ${COLUMNS} FROM comments
       WHERE author_id = $1 AND platform = $2 AND author_id >= '@' AND author_id < 'A'`,
      from,
      platform,
    );
    for (const row of rows) {
      const comment = { ...parseJsonText(row.header), authorId: to };
      yield* rewrite(unit, platform, { ...row, header: toJsonText(comment) });
    }
  },
};

type CommentKey = Pick<CommentRow, "post_id" | "id">;

/** Writes a changed header and native object, with what is derived from them. */
function* rewrite(unit: RecordSteps, platform: PlatformName, { post_id, ...row }: CommentRow): Steps<void> {
  const { id, header, native } = row;
  const comment = parseJsonText(header);
  yield* unit.sql.run(
    "UPDATE comments SET author_id = $1, header = $2, native = $3 WHERE post_id = $4 AND platform = $5 AND id = $6",
    comment.authorId,
    header,
    native,
    post_id,
    platform,
    id,
  );
  unit.rendered.writeComment(platform, post_id, row);
  unit.documents.put(platform, "comment", commentDocId(post_id, id), documentOf("comment", comment));
}
