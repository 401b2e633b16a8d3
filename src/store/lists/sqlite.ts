import type { Header } from "#domain/records.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Database } from "#store/sqlite/database.ts";
import { isMoved, listsOf, type ListTable, type MovedPost } from "./port.ts";
import type { ListDialect } from "./statements.ts";

// One row per statement: a multi-row insert makes SQLite keep a statement journal, which costs ten times as much.
const ADD_TO_LIST =
  "INSERT OR IGNORE INTO post_lists (platform, list, key, at, post_id, record) VALUES (?, ?, ?, ?, ?, ?)";
const DELETE_FROM_LIST =
  "DELETE FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? AND post_id = ?";

/** Adds posts to the lists they belong to, and removes them from those they no longer belong to. */
export function createListRows(db: Database) {
  function remove(platform: PlatformName, postId: string, post: Header<"post">): void {
    for (const { list, key, at } of listsOf(post)) db.run(DELETE_FROM_LIST, platform, list, key, at, postId);
  }

  return {
    remove,
    write(post: MovedPost, number: number): void {
      if (!isMoved(post)) return;
      const { platform, before, now } = post;
      if (before !== null) remove(platform, now.id, before);
      for (const [list, key] of now.lists) db.run(ADD_TO_LIST, platform, list, key, now.at, now.id, number);
    },
  };
}

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
export function createListTable(rows: ReturnType<typeof createListRows>): ListTable {
  return {
    columns: { key: "platform, list, at, post_id", rest: ["record"] },
    remove(platform, posts) {
      for (const { id, post } of posts) rows.remove(platform, id, post);
    },
  };
}
