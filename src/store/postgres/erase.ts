/**
 * Erases a record with everything derived from it, and stores its id so that later imports skip it. An account is erased
 * with its posts, comments and relations.
 */
import type { Account } from "#domain/account.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { erasedKey } from "../erased-key.ts";
import { getHeaders } from "./record-reads.ts";
import { removeComments, removeRecords, removeSubtitles } from "./record-removal.ts";
import type { Sql } from "./sql.ts";
import { asStored } from "./storable-text.ts";
import type { UnitOfWork } from "./write-batch.ts";

export async function eraseRecord(
  unit: UnitOfWork,
  platform: PlatformName,
  kind: "account" | "post" | "comment",
  rawId: string,
): Promise<void> {
  const id = asStored(rawId);
  if (kind === "account") await eraseAccount(unit, platform, id);
  else if (kind === "post") await erasePosts(unit, platform, [id]);
  else {
    await markErased(unit.sql, platform, "comment", [id]);
    await removeComments(unit, "id = $1 AND platform = $2", id, platform);
  }
}

async function markErased(sql: Sql, platform: PlatformName, kind: RecordKind, ids: string[]): Promise<void> {
  await sql.run(
    `INSERT INTO erased (id, platform, kind, at) SELECT id, $2, $3, $4::bigint FROM unnest($1::text[]) AS id
     ON CONFLICT (id, platform, kind) DO NOTHING`,
    ids.map(erasedKey),
    platform,
    kind,
    Math.floor(Date.now() / 1000),
  );
}

async function erasePosts(unit: UnitOfWork, platform: PlatformName, ids: string[]): Promise<void> {
  const { sql } = unit;
  await markErased(sql, platform, "post", ids);
  await removeComments(unit, "post_id = ANY($1) AND platform = $2", ids, platform);
  await removeSubtitles(unit, "post_id = ANY($1) AND platform = $2", ids, platform);
  await sql.run("DELETE FROM chart_entries WHERE post_id = ANY($1) AND platform = $2", ids, platform);
  const headers = await getHeaders(sql, platform, "post", ids);
  const posts = ids.map((id) => ({ platform, kind: "post" as const, id, header: headers.get(id) ?? null }));
  await removeRecords(unit, posts);
}

async function eraseAccount(unit: UnitOfWork, platform: PlatformName, id: string): Promise<void> {
  const { sql } = unit;
  const listed = await sql.all<{ post_id: string }>(
    "SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'author'",
    id,
    platform,
  );
  const posts = listed.map(({ post_id }) => post_id);
  if (posts.length > 0) await erasePosts(unit, platform, posts);
  await removeComments(unit, "author_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM follows WHERE account_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM follows WHERE follower_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'tagged'", id, platform);
  const header = (await getHeaders(sql, platform, "account", [id])).get(id) ?? null;
  const name = header === null ? null : (JSON.parse(header) as Account).name;
  // Captures that know only the name are skipped too. The name itself is not stored.
  await markErased(sql, platform, "account", [...new Set([id, ...(name === null ? [] : [provisionalId(name)])])]);
  await removeRecords(unit, [{ platform, kind: "account", id, header }]);
}
