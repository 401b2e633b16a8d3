/** Deletes a record's rows with everything derived from them. What other records say about it stays. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { listsOf } from "../post-lists.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import type { Database } from "./database.ts";
import type { CommentsRow, RecordsRow, SubtitlesRow } from "./rows.ts";
import type { SearchIndex } from "./search-index.ts";

/** The header is null if the record is not stored. */
type DeletedRecord = Pick<RecordsRow, "platform" | "kind" | "id"> & { header: string | null };

/** Rankings are left to the caller: see `deleteFromTrends`. */
export function deleteRecord(db: Database, index: SearchIndex, { platform, kind, id, header }: DeletedRecord): void {
  if (kind === "post" && header !== null) deleteFromLists(db, platform, id, JSON.parse(header) as Post);
  if (kind === "account" && header !== null) {
    const name = foldName((JSON.parse(header) as Account).name ?? "");
    db.run("DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?", platform, name, id);
  }
  index.delete(platform, kind, id);
  db.run("DELETE FROM counter_points WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
  db.run("DELETE FROM records WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
}

export function deleteFromLists(db: Database, platform: PlatformName, postId: string, post: Post): void {
  for (const { list, key, at } of listsOf(post)) {
    db.run(
      "DELETE FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? AND post_id = ?",
      platform,
      list,
      key,
      at,
      postId,
    );
  }
}

/** Returns the number of comments deleted. */
export function deleteComments(db: Database, index: SearchIndex, condition: string, ...values: string[]): number {
  const rows = db.all<Pick<CommentsRow, "platform" | "post_id" | "id">>(
    `SELECT platform, post_id, id FROM comments WHERE ${condition}`,
    ...values,
  );
  for (const { platform, post_id, id } of rows) {
    index.delete(platform, "comment", commentDocId(post_id, id));
    db.run("DELETE FROM comments WHERE platform = ? AND post_id = ? AND id = ?", platform, post_id, id);
  }
  return rows.length;
}

/** Returns the number of subtitle tracks deleted. */
export function deleteSubtitles(db: Database, index: SearchIndex, condition: string, ...values: string[]): number {
  const rows = db.all<Pick<SubtitlesRow, "platform" | "post_id" | "language" | "automatic">>(
    `SELECT platform, post_id, language, automatic FROM subtitles WHERE ${condition}`,
    ...values,
  );
  for (const { platform, post_id, language, automatic } of rows) {
    index.delete(platform, "subtitle", subtitleDocId(post_id, language, automatic === 1));
  }
  return db.run(`DELETE FROM subtitles WHERE ${condition}`, ...values).changes;
}
