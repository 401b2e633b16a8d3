/** Takes records' rows out, with all that is derived from them. What others said of them is theirs and not touched. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { commentDoc, subtitleDoc } from "../search-doc-ids.ts";
import type { UnitOfWork } from "./write-batch.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "./statement.ts";
import { type ListRow, removeFromLists, rowsOf } from "./post-list-rows.ts";
import type { StandingKind } from "./record-table.ts";

export interface RemovedRecord {
  platform: PlatformName;
  kind: StandingKind;
  id: string;
  /** As it is held, JSON; null when the record is not held. */
  header: string | null;
}

/** As many as one statement is given. */
const AT_ONCE = 2_000;

export async function removeRecords(turn: UnitOfWork, records: readonly RemovedRecord[]): Promise<void> {
  for (const group of Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    for (const part of parts(group)) await removeAlike(turn, part);
  }
}

function* parts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += AT_ONCE) yield items.slice(start, start + AT_ONCE);
}

/** Of one platform and kind. */
async function removeAlike({ sql, index, trends }: UnitOfWork, records: RemovedRecord[]): Promise<void> {
  const { platform, kind } = records[0] as RemovedRecord;
  const ids = records.map(({ id }) => id);
  if (kind === "post") {
    await trends.note(platform, records);
    await removeFromLists(sql, records.flatMap(listRowsOf));
  }
  if (kind === "account") await removeNames(sql, records);
  await index.remove(sql, platform, kind, ids);
  await sql.run("DELETE FROM counter_points WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  await sql.run("DELETE FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
}

function listRowsOf({ platform, id, header }: RemovedRecord): ListRow[] {
  return header === null ? [] : rowsOf(platform, id, JSON.parse(header) as Post);
}

async function removeNames(sql: Sql, accounts: RemovedRecord[]): Promise<void> {
  for (const { platform, id, header } of accounts) {
    if (header === null) continue;
    const name = foldName((JSON.parse(header) as Account).name ?? "");
    await sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", name, platform, id);
  }
}

/** Comments that a condition names, with what is searched of them; the number that went. */
export async function removeComments(
  { sql, index }: UnitOfWork,
  condition: string,
  ...values: Value[]
): Promise<number> {
  const rows = await sql.all<{ platform: PlatformName; post_id: string; id: string }>(
    `DELETE FROM comments WHERE ${condition} RETURNING platform, post_id, id`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    for (const part of parts(group.map(({ post_id, id }) => commentDoc(post_id, id)))) {
      await index.remove(sql, platform, "comment", part);
    }
  }
  return rows.length;
}

/** The same of tracks of subtitles. */
export async function removeSubtitles(
  { sql, index }: UnitOfWork,
  condition: string,
  ...values: Value[]
): Promise<number> {
  const rows = await sql.all<{ platform: PlatformName; post_id: string; language: string; automatic: boolean }>(
    `DELETE FROM subtitles WHERE ${condition} RETURNING platform, post_id, language, automatic`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const documents = group.map(({ post_id, language, automatic }) => subtitleDoc(post_id, language, automatic));
    for (const part of parts(documents)) await index.remove(sql, platform, "subtitle", part);
  }
  return rows.length;
}
