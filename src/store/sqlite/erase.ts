/**
 * Erasure: a record goes with all that is derived from it, and its id is remembered so that no later import brings it
 * back. An account goes with its posts, its comments and its relations. The connection overwrites deleted bytes.
 */
import type { Account } from "#domain/account.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import { erasedKey } from "../erased-key.ts";
import type { Database } from "./database.ts";
import { removeComments, removeRecord, removeSubtitles } from "./record-removal.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

export function eraseRecord(
  db: Database,
  index: SearchIndex,
  trends: TrendUpkeep,
  platform: PlatformName,
  kind: "account" | "post" | "comment",
  id: string,
): void {
  remember(db, platform, kind, erasedKey(id));
  if (kind === "comment") removeComments(db, index, "platform = ? AND id = ?", platform, id);
  else if (kind === "post") erasePost(db, index, trends, platform, id);
  else eraseAccount(db, index, trends, platform, id);
}

function remember(db: Database, platform: PlatformName, kind: RecordKind, key: string): void {
  db.run("INSERT OR IGNORE INTO erased (platform, kind, id, at) VALUES (?, ?, ?, unixepoch())", platform, kind, key);
}

function heldHeader(db: Database, platform: PlatformName, kind: RecordKind, id: string): string | null {
  const row = db.get<{ header: string }>(
    "SELECT header FROM records WHERE platform = ? AND kind = ? AND id = ?",
    platform,
    kind,
    id,
  );
  return row?.header ?? null;
}

function erasePost(db: Database, index: SearchIndex, trends: TrendUpkeep, platform: PlatformName, id: string): void {
  removeComments(db, index, "platform = ? AND post_id = ?", platform, id);
  db.run("DELETE FROM chart_entries WHERE platform = ? AND post_id = ?", platform, id);
  removeSubtitles(db, index, "platform = ? AND post_id = ?", platform, id);
  removeRecord(db, index, trends, { platform, kind: "post", id, header: heldHeader(db, platform, "post", id) });
}

function eraseAccount(db: Database, index: SearchIndex, trends: TrendUpkeep, platform: PlatformName, id: string): void {
  const posts = db.all<{ post_id: string }>(
    "SELECT post_id FROM post_lists WHERE platform = ? AND list = 'author' AND key = ?",
    platform,
    id,
  );
  for (const { post_id } of posts) eraseRecord(db, index, trends, platform, "post", post_id);
  removeComments(db, index, "platform = ? AND author_id = ?", platform, id);
  db.run("DELETE FROM follows WHERE platform = ? AND (account_id = ? OR follower_id = ?)", platform, id, id);
  db.run("DELETE FROM post_lists WHERE platform = ? AND list = 'tagged' AND key = ?", platform, id);
  const header = heldHeader(db, platform, "account", id);
  const name = header === null ? null : (JSON.parse(header) as Account).name;
  // A capture that knows only the name must not bring the person back either. The name itself is not kept.
  if (name !== null) remember(db, platform, "account", erasedKey(provisionalId(name)));
  removeRecord(db, index, trends, { platform, kind: "account", id, header });
}
