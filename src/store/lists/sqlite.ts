import type { Database } from "#store/sqlite/database.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Post } from "#domain/post.ts";
import type { ListTable } from "./port.ts";
import type { ListDialect } from "./statements.ts";

const LIST_NEWEST = `SELECT d.id, d.engagement FROM post_lists l
  JOIN search_partitions p ON p.platform = l.platform AND p.kind = 'post'
  JOIN search_docs d ON d.partition = p.partition AND d.id = l.post_id
  WHERE l.key = ? AND l.platform = ? AND l.list = ? ORDER BY l.at DESC, l.post_id LIMIT ?`;

/** The key has the time of publication in descending order, and search documents are joined to the posts of a list. */
export function createListDialect(db: Database): ListDialect {
  return {
    at: "at",
    isAt: "at = $4",
    // `at <= $4` bounds the index range; the clause in brackets only breaks ties at its start.
    isAfter: "at <= $4 AND (at < $4 OR post_id > $5)",
    order: "at DESC, post_id",
    listNewest: (...values) => db.all(LIST_NEWEST, ...values),
  };
}

/** Entries name the record by its number, and are written with it. */
export function createListTable(rows: {
  deleteFromLists: (platform: PlatformName, postId: string, post: Post) => void;
}): ListTable {
  return {
    columns: { key: "platform, list, at, post_id", rest: ["record"] },
    remove(platform, posts) {
      for (const { id, post } of posts) rows.deleteFromLists(platform, id, post);
    },
  };
}
