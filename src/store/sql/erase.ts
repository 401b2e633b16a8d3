/**
 * Erases a record with everything derived from it, and stores its id so that later imports skip it. An account is erased
 * with its posts, comments and relations.
 */
import type { Account } from "#domain/account.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { ErasureCounts } from "../writer.ts";
import { erasedKey } from "../erased-key.ts";
import { batchesOf, type RecordSteps } from "./record-steps.ts";
import { removeComments, removeRecords, removeSubtitles } from "./record-removal.ts";
import type { SqlSteps, Steps } from "./sql.ts";
import type { Table } from "./table.ts";

const ERASED: Table<{ platform: PlatformName; kind: RecordKind; id: string; at: number }> = {
  name: "erased",
  key: ["id", "platform", "kind"],
  columns: { platform: "text", kind: "text", id: "text", at: "bigint" },
};

export function* eraseRecord(
  unit: RecordSteps,
  platform: PlatformName,
  kind: "account" | "post" | "comment",
  rawId: string,
): Steps<ErasureCounts> {
  // As it is stored: unpaired surrogates become U+FFFD.
  const id = rawId.toWellFormed();
  const counts: ErasureCounts = { account: 0, post: 0, comment: 0, subtitles: 0, follow: 0, chart: 0 };
  if (kind === "account") yield* eraseAccount(unit, platform, id, counts);
  else if (kind === "post") yield* erasePosts(unit, platform, [id], counts);
  else {
    yield* markErased(unit.sql, platform, "comment", [id]);
    counts.comment += yield* removeComments(unit, "id = $1 AND platform = $2", id, platform);
  }
  return counts;
}

function* markErased(sql: SqlSteps, platform: PlatformName, kind: RecordKind, ids: readonly string[]): Steps<void> {
  const at = Math.floor(Date.now() / 1000);
  yield* sql.upsert(
    ERASED,
    Array.from(new Set(ids.map(erasedKey)), (id) => ({ platform, kind, id, at })),
  );
}

/** The headers (JSON) of stored records, by id. */
function* getHeaders(
  sql: SqlSteps,
  platform: PlatformName,
  kind: RecordKind,
  ids: readonly string[],
): Steps<Map<string, string>> {
  const rows = yield* sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = $3",
    ids,
    platform,
    kind,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

function* erasePosts(
  unit: RecordSteps,
  platform: PlatformName,
  all: readonly string[],
  counts: ErasureCounts,
): Steps<void> {
  const { sql } = unit;
  for (const ids of batchesOf(all)) {
    yield* markErased(sql, platform, "post", ids);
    counts.comment += yield* removeComments(unit, "post_id = ANY($1) AND platform = $2", ids, platform);
    counts.subtitles += yield* removeSubtitles(unit, "post_id = ANY($1) AND platform = $2", ids, platform);
    counts.chart += yield* sql.run(
      "DELETE FROM chart_entries WHERE post_id = ANY($1) AND platform = $2",
      ids,
      platform,
    );
    const headers = yield* getHeaders(sql, platform, "post", ids);
    counts.post += headers.size;
    yield* removeRecords(
      unit,
      ids.map((id) => ({ platform, kind: "post", id, header: headers.get(id) ?? null })),
    );
  }
}

function* eraseAccount(unit: RecordSteps, platform: PlatformName, id: string, counts: ErasureCounts): Steps<void> {
  const { sql } = unit;
  const posts = yield* sql.all<{ post_id: string }>(
    "SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'author'",
    id,
    platform,
  );
  yield* erasePosts(
    unit,
    platform,
    posts.map(({ post_id }) => post_id),
    counts,
  );
  counts.comment += yield* removeComments(unit, "author_id = $1 AND platform = $2", id, platform);
  counts.follow += yield* sql.run("DELETE FROM follows WHERE account_id = $1 AND platform = $2", id, platform);
  counts.follow += yield* sql.run("DELETE FROM follows WHERE follower_id = $1 AND platform = $2", id, platform);
  yield* sql.run("DELETE FROM post_lists WHERE key = $1 AND platform = $2 AND list = 'tagged'", id, platform);
  const header = (yield* getHeaders(sql, platform, "account", [id])).get(id) ?? null;
  if (header !== null) counts.account++;
  const name = header === null ? null : (JSON.parse(header) as Account).name;
  // Captures that know only the name are skipped too. The name itself is not stored.
  yield* markErased(sql, platform, "account", name === null ? [id] : [id, provisionalId(name)]);
  yield* removeRecords(unit, [{ platform, kind: "account", id, header }]);
}
