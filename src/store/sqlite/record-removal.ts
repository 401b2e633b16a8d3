/** Takes one record's rows out, with all that is derived from it. What others said of it is theirs and not touched. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { listsOf } from "../post-lists.ts";
import { commentDoc, subtitleDoc } from "../search-doc-ids.ts";
import type { Database } from "./database.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

export interface RemovedRecord {
  platform: PlatformName;
  kind: Exclude<RecordKind, "comment">;
  id: string;
  /** As it is held, JSON; null when the record is not held. */
  header: string | null;
}

export function removeRecord(
  db: Database,
  index: SearchIndex,
  trends: TrendUpkeep,
  { platform, kind, id, header }: RemovedRecord,
): void {
  if (kind === "post") trends.postChanges(platform, id, header);
  if (kind === "post" && header !== null) removeFromLists(db, platform, id, JSON.parse(header) as Post);
  if (kind === "account" && header !== null) {
    const name = foldName((JSON.parse(header) as Account).name ?? "");
    db.run("DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?", platform, name, id);
  }
  index.delete(platform, kind, id);
  db.run("DELETE FROM counter_points WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
  db.run("DELETE FROM records WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
}

export function removeFromLists(db: Database, platform: PlatformName, postId: string, post: Post): void {
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

/** Comments that a condition names, with what is searched of them; the number that went. */
export function removeComments(db: Database, index: SearchIndex, condition: string, ...values: string[]): number {
  const rows = db.all<{ platform: PlatformName; post_id: string; id: string }>(
    `SELECT platform, post_id, id FROM comments WHERE ${condition}`,
    ...values,
  );
  for (const { platform, post_id, id } of rows) {
    index.delete(platform, "comment", commentDoc(post_id, id));
    db.run("DELETE FROM comments WHERE platform = ? AND post_id = ? AND id = ?", platform, post_id, id);
  }
  return rows.length;
}

export function removeSubtitles(db: Database, index: SearchIndex, condition: string, ...values: string[]): number {
  const rows = db.all<{ platform: PlatformName; post_id: string; language: string; automatic: number }>(
    `SELECT platform, post_id, language, automatic FROM subtitles WHERE ${condition}`,
    ...values,
  );
  for (const { platform, post_id, language, automatic } of rows) {
    index.delete(platform, "subtitle", subtitleDoc(post_id, language, automatic === 1));
  }
  return db.run(`DELETE FROM subtitles WHERE ${condition}`, ...values).changes;
}
