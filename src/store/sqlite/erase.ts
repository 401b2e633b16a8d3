/**
 * Erases a record with everything derived from it, and remembers its id so that no later import brings it back. An
 * account goes with its posts, comments and follows. The connection overwrites deleted bytes (`secure_delete`).
 */
import type { Account } from "#domain/account.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { erasedKey } from "../erased-key.ts";
import type { Database } from "./database.ts";
import { deleteComments, deleteRecord, deleteSubtitles } from "./record-removal.ts";
import type { PostListsRow, RecordsRow } from "./rows.ts";
import type { SearchIndex } from "./search-index.ts";
import { deleteFromTrends } from "./trend-tables.ts";

export function eraseRecord(
  db: Database,
  index: SearchIndex,
  platform: PlatformName,
  kind: "account" | "post" | "comment",
  id: string,
): void {
  if (kind === "post") return erasePosts(db, index, platform, [id]);
  markErased(db, platform, kind, id);
  if (kind === "comment") deleteComments(db, index, "platform = ? AND id = ?", platform, id);
  else eraseAccount(db, index, platform, id);
}

function markErased(db: Database, platform: PlatformName, kind: RecordKind, id: string): void {
  db.run(
    "INSERT OR IGNORE INTO erased (platform, kind, id, at) VALUES (?, ?, ?, unixepoch())",
    platform,
    kind,
    erasedKey(id),
  );
}

function getHeader(db: Database, platform: PlatformName, kind: RecordKind, id: string): string | null {
  const row = db.get<Pick<RecordsRow, "header">>(
    "SELECT header FROM records WHERE platform = ? AND kind = ? AND id = ?",
    platform,
    kind,
    id,
  );
  return row?.header ?? null;
}

function erasePosts(db: Database, index: SearchIndex, platform: PlatformName, ids: readonly string[]): void {
  for (const id of ids) {
    markErased(db, platform, "post", id);
    deleteComments(db, index, "platform = ? AND post_id = ?", platform, id);
    db.run("DELETE FROM chart_entries WHERE platform = ? AND post_id = ?", platform, id);
    deleteSubtitles(db, index, "platform = ? AND post_id = ?", platform, id);
    deleteRecord(db, index, { platform, kind: "post", id, header: getHeader(db, platform, "post", id) });
  }
  deleteFromTrends(db, platform, ids);
}

function eraseAccount(db: Database, index: SearchIndex, platform: PlatformName, id: string): void {
  const posts = db.all<Pick<PostListsRow, "post_id">>(
    "SELECT post_id FROM post_lists WHERE platform = ? AND list = 'author' AND key = ?",
    platform,
    id,
  );
  erasePosts(
    db,
    index,
    platform,
    posts.map(({ post_id }) => post_id),
  );
  deleteComments(db, index, "platform = ? AND author_id = ?", platform, id);
  db.run("DELETE FROM follows WHERE platform = ? AND (account_id = ? OR follower_id = ?)", platform, id, id);
  db.run("DELETE FROM post_lists WHERE platform = ? AND list = 'tagged' AND key = ?", platform, id);
  const header = getHeader(db, platform, "account", id);
  const name = header === null ? null : (JSON.parse(header) as Account).name;
  // A capture that knows only the name must not bring the person back either.
  if (name !== null) markErased(db, platform, "account", provisionalId(name));
  deleteRecord(db, index, { platform, kind: "account", id, header });
}
