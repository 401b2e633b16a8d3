/** Deletes records with everything derived from them. Records that refer to them stay as they are. */
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "../sql/sql.ts";
import { postListRows, removeFromLists } from "./post-list-rows.ts";
import type { CommentRow, NonCommentKind, PostListRow, SubtitleRow } from "./tables.ts";
import { deleteFromTrends } from "./trend-tables.ts";
import type { UnitOfWork } from "./write-batch.ts";

export interface RemovedRecord {
  platform: PlatformName;
  kind: NonCommentKind;
  id: string;
  /** JSON; null if the record is not stored. */
  header: string | null;
}

/** Records per statement. */
const BATCH_SIZE = 2_000;

export async function removeRecords(unit: UnitOfWork, records: readonly RemovedRecord[]): Promise<void> {
  for (const group of Map.groupBy(records, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    for (const batch of batches(group)) await removeBatch(unit, batch);
  }
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}

/** All of one platform and kind. */
async function removeBatch({ sql, index }: UnitOfWork, records: RemovedRecord[]): Promise<void> {
  const { platform, kind } = records[0] as RemovedRecord;
  const ids = records.map(({ id }) => id);
  if (kind === "post") {
    await removeFromLists(sql, records.flatMap(listEntries));
    await deleteFromTrends(sql, platform, ids);
  }
  if (kind === "account") await removeNames(sql, records);
  await index.remove(sql, platform, kind, ids);
  await sql.run("DELETE FROM counter_points WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  await sql.run("DELETE FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
}

function listEntries({ platform, id, header }: RemovedRecord): PostListRow[] {
  return header === null ? [] : postListRows(platform, id, JSON.parse(header) as Post);
}

async function removeNames(sql: Sql, accounts: RemovedRecord[]): Promise<void> {
  for (const { platform, id, header } of accounts) {
    if (header === null) continue;
    const name = foldName((JSON.parse(header) as Account).name ?? "");
    await sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", name, platform, id);
  }
}

/** Deletes the comments that match a condition, with their search documents. Returns their number. */
export async function removeComments(
  { sql, index }: UnitOfWork,
  condition: string,
  ...values: Value[]
): Promise<number> {
  const rows = await sql.all<Pick<CommentRow, "platform" | "post_id" | "id">>(
    `DELETE FROM comments WHERE ${condition} RETURNING platform, post_id, id`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    for (const batch of batches(group.map(({ post_id, id }) => commentDocId(post_id, id)))) {
      await index.remove(sql, platform, "comment", batch);
    }
  }
  return rows.length;
}

/** The same for subtitle tracks. */
export async function removeSubtitles(
  { sql, index }: UnitOfWork,
  condition: string,
  ...values: Value[]
): Promise<number> {
  const rows = await sql.all<Pick<SubtitleRow, "platform" | "post_id" | "language" | "automatic">>(
    `DELETE FROM subtitles WHERE ${condition} RETURNING platform, post_id, language, automatic`,
    ...values,
  );
  for (const [platform, group] of Map.groupBy(rows, (row) => row.platform)) {
    const docIds = group.map(({ post_id, language, automatic }) => subtitleDocId(post_id, language, automatic));
    for (const batch of batches(docIds)) await index.remove(sql, platform, "subtitle", batch);
  }
  return rows.length;
}
