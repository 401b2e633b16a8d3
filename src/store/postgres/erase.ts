/**
 * Erasure: a record goes with all that is derived from it, and its id is remembered so that no later import brings it
 * back. An account goes with its posts, its comments and its relations.
 */
import type { Account } from "#domain/account.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { erasedKey } from "../erased-key.ts";
import type { UnitOfWork } from "./write-batch.ts";
import type { Sql } from "./sql.ts";
import { removeComments, removeRecords, removeSubtitles } from "./record-removal.ts";
import type { StandingKind } from "./record-table.ts";
import { asHeld } from "./storable-text.ts";

export async function eraseRecord(
  turn: UnitOfWork,
  platform: PlatformName,
  kind: "account" | "post" | "comment",
  givenId: string,
): Promise<void> {
  const id = asHeld(givenId);
  if (kind === "account") await eraseAccount(turn, platform, id);
  else if (kind === "post") await erasePosts(turn, platform, [id]);
  else {
    await remember(turn.sql, platform, "comment", [id]);
    await removeComments(turn, "id = $1 AND platform = $2", id, platform);
  }
}

async function remember(sql: Sql, platform: PlatformName, kind: RecordKind, ids: string[]): Promise<void> {
  await sql.run(
    `INSERT INTO erased (id, platform, kind, at) SELECT id, $2, $3, $4::bigint FROM unnest($1::text[]) AS id
     ON CONFLICT (id, platform, kind) DO NOTHING`,
    ids.map(erasedKey),
    platform,
    kind,
    Math.floor(Date.now() / 1000),
  );
}

async function heldHeaders(
  sql: Sql,
  platform: PlatformName,
  kind: StandingKind,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

async function erasePosts(turn: UnitOfWork, platform: PlatformName, ids: string[]): Promise<void> {
  const { sql } = turn;
  await remember(sql, platform, "post", ids);
  await removeComments(turn, "post_id = ANY($1) AND platform = $2", ids, platform);
  await removeSubtitles(turn, "post_id = ANY($1) AND platform = $2", ids, platform);
  await sql.run("DELETE FROM chart_entries WHERE post_id = ANY($1) AND platform = $2", ids, platform);
  const headers = await heldHeaders(sql, platform, "post", ids);
  const posts = ids.map((id) => ({ platform, kind: "post" as const, id, header: headers.get(id) ?? null }));
  await removeRecords(turn, posts);
}

async function eraseAccount(turn: UnitOfWork, platform: PlatformName, id: string): Promise<void> {
  const { sql } = turn;
  const listed = await sql.all<{ post_id: string }>(
    "SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'author'",
    id,
    platform,
  );
  const posts = listed.map(({ post_id }) => post_id);
  if (posts.length > 0) await erasePosts(turn, platform, posts);
  await removeComments(turn, "author_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM follows WHERE account_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM follows WHERE follower_id = $1 AND platform = $2", id, platform);
  await sql.run("DELETE FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'tagged'", id, platform);
  const header = (await heldHeaders(sql, platform, "account", [id])).get(id) ?? null;
  const name = header === null ? null : (JSON.parse(header) as Account).name;
  // A capture that knows only the name must not bring the person back either. The name itself is not kept.
  await remember(sql, platform, "account", [...new Set([id, ...(name === null ? [] : [provisionalId(name)])])]);
  await removeRecords(turn, [{ platform, kind: "account", id, header }]);
}
