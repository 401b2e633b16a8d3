/** Takes out everything that came from one source, as if it had never been kept. Nothing is remembered as erased. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { SearchableKind } from "#search/documents.ts";
import { listsOf } from "../post-lists.ts";
import type { Database } from "./database.ts";
import type { SearchIndex } from "./search-index.ts";

interface Row {
  platform: PlatformName;
  kind: SearchableKind;
  id: string;
  header: string;
}

/** The number of records that went. */
export function forgetSource(db: Database, index: SearchIndex, source: string): number {
  let count = 0;
  for (const table of ["comments", "follows", "subtitles", "chart_entries"]) {
    count += db.run(`DELETE FROM ${table} WHERE source = ?`, source).changes;
  }
  const rows = db.all<Row>("SELECT platform, kind, id, header FROM records WHERE source = ?", source);
  for (const row of rows) forgetRecord(db, index, row);
  return count + rows.length;
}

function forgetRecord(db: Database, index: SearchIndex, { platform, kind, id, header }: Row): void {
  if (kind === "post") {
    for (const { list, key, at } of listsOf(JSON.parse(header) as Post)) {
      db.run(
        "DELETE FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? AND post_id = ?",
        platform,
        list,
        key,
        at,
        id,
      );
    }
  }
  if (kind === "account") {
    const name = foldName((JSON.parse(header) as Account).name ?? "");
    db.run("DELETE FROM account_names WHERE platform = ? AND name = ? AND id = ?", platform, name, id);
  }
  index.delete(platform, kind, id);
  db.run("DELETE FROM counter_points WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
  db.run("DELETE FROM records WHERE platform = ? AND kind = ? AND id = ?", platform, kind, id);
}
