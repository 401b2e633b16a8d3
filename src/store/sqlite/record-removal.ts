/** Takes one record's rows out, with all that is derived from it. What others said of it is theirs and not touched. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SearchableKind } from "#search/documents.ts";
import { listsOf } from "../post-lists.ts";
import type { Database } from "./database.ts";
import type { SearchIndex } from "./search-index.ts";

export interface RemovedRecord {
  platform: PlatformName;
  kind: SearchableKind;
  id: string;
  /** As it is held, JSON; null when the record is not held. */
  header: string | null;
}

export function removeRecord(db: Database, index: SearchIndex, { platform, kind, id, header }: RemovedRecord): void {
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
