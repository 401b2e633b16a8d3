/** Reads what the rankings are computed from, and notes what they were computed for: see refresh.ts. */
import { exactCaptures, type StoredPoint } from "#domain/approximate.ts";
import { parseJsonText, toJsonText } from "#domain/json-text.ts";
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import { TREND_GROWTH, TREND_LISTS, type TrendGrowthRow } from "./tables.ts";
import { runAsync } from "#store/sql/sql.ts";
import type { CountedPost, StagedGrowth, TrendState, TrendTables } from "./ranking-store.ts";
import type { ListedPost } from "./rankings.ts";
import { createTable } from "#store/postgres/schema.ts";
import { notify } from "#store/postgres/events.ts";
import { stepsOn } from "#store/postgres/shared-sql.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { insert, upsert } from "#store/postgres/upsert.ts";
import { joinWriters } from "#store/postgres/write-transactions.ts";

/** Rows per statement: each is short, so that an erasure's VACUUM need not wait for an old snapshot. */
const BATCH_POSTS = 2_000;
const BATCH_LISTED = 5_000;

export async function getTrendState(sql: Sql): Promise<TrendState> {
  const row = await sql.get<TrendState>(
    `SELECT (version + (SELECT coalesce(sum(changes), 0) FROM trend_changes))::bigint AS version,
       computed_version AS "computedVersion", day FROM trend_state`,
  );
  return present(row);
}

/** In every transaction that changes posts or their counters. Inserts only, so that writers do not wait for each other. */
export async function markTrendsStale(sql: Sql): Promise<void> {
  await sql.run("INSERT INTO trend_changes (changes) VALUES (1)");
}

/** All on one connection, which holds a lock: one refresh at a time, whichever process it is in. */
export function createTrendTables(sql: Sql): TrendTables {
  return {
    getState: () => getTrendState(sql),
    async *readPosts() {
      await sql.run("DROP TABLE IF EXISTS pg_temp.trend_growth");
      await sql.run(createTable(TREND_GROWTH.postgres, "TEMPORARY TABLE"));
      for (let last = { id: "", platform: "" }; ;) {
        const rows = await sql.all<Omit<CountedPost, "points">>(
          `SELECT id, platform, header FROM records WHERE (id, platform) > ($1, $2) AND kind = 'post'
           ORDER BY id, platform LIMIT $3`,
          last.id,
          last.platform,
          BATCH_POSTS,
        );
        if (rows.length === 0) return;
        yield await withPoints(sql, rows);
        last = present(rows.at(-1));
      }
    },
    stageGrowth: (staged) => insert(sql, TREND_GROWTH.postgres, staged.map(toGrowthRow)),
    async dropStaged() {
      await sql.run("DROP TABLE pg_temp.trend_growth");
    },
    async *readListedPosts() {
      for (let last = { key: "", platform: "", list: "", sort_key: 0, post_id: "" }; ;) {
        const rows = await sql.all<typeof last & { list: ListedPost["kind"] }>(
          `SELECT key, platform, list, sort_key, post_id FROM post_lists
           WHERE (key, platform, list, sort_key, post_id) > ($1, $2, $3, $4, $5) AND list IN ('hashtag', 'sound')
           ORDER BY key, platform, list, sort_key, post_id LIMIT $6`,
          last.key,
          last.platform,
          last.list,
          last.sort_key,
          last.post_id,
          BATCH_LISTED,
        );
        if (rows.length === 0) return;
        const growth = await readGrowth(sql, [...new Set(rows.map(({ post_id }) => post_id))]);
        yield rows.map(({ platform, list, key, post_id }) => {
          return { platform, kind: list, key, postId: post_id, growth: growth.get(`${platform}/${post_id}`) ?? null };
        });
        last = present(rows.at(-1));
      }
    },
    async transaction(work) {
      await sql.run("BEGIN");
      // An erasure runs alone, so it never changes lists that are being replaced.
      await joinWriters(sql);
      await runAsync(work(stepsOn(sql)));
      await sql.run("COMMIT");
    },
    async claimLists(names, { day, computedAt }) {
      await upsert(
        sql,
        TREND_LISTS,
        names.map((name) => ({ name, day, computed_at: computedAt })),
      );
      return names;
    },
    async finish({ version, day, computedAt }) {
      await sql.run(
        `WITH noted AS (DELETE FROM trend_changes RETURNING changes)
         UPDATE trend_state SET computed_version = $1, day = $2, computed_at = $3,
           version = version + (SELECT coalesce(sum(changes), 0) FROM noted)`,
        version,
        day,
        computedAt,
      );
    },
    async notify(platforms) {
      for (const platform of new Set(platforms)) await notify(sql, { about: "records", platform });
    },
  };
}

async function withPoints(sql: Sql, posts: readonly Omit<CountedPost, "points">[]): Promise<CountedPost[]> {
  const rows = await sql.all<StoredPoint & { id: string; platform: PlatformName }>(
    `SELECT id, platform, captured_at AS "capturedAt", counters FROM counter_points
     WHERE id = ANY($1) AND kind = 'post' ORDER BY id, platform, captured_at`,
    posts.map(({ id }) => id),
  );
  const points = Map.groupBy(rows, ({ id, platform }) => `${platform}/${id}`);
  return posts.map((post) => ({
    ...post,
    points: exactCaptures(post.platform, points.get(`${post.platform}/${post.id}`) ?? []),
  }));
}

function toGrowthRow({ post: { id, platform }, growth }: StagedGrowth<CountedPost>): TrendGrowthRow {
  return { id, platform, country: growth.country, growth: toJsonText(growth.growth) };
}

async function readGrowth(sql: Sql, ids: readonly string[]): Promise<Map<string, ListedPost["growth"]>> {
  const rows = await sql.all<TrendGrowthRow>(
    "SELECT id, platform, country, growth FROM trend_growth WHERE id = ANY($1)",
    ids,
  );
  return new Map(
    rows.map(({ id, platform, country, growth }) => [`${platform}/${id}`, { country, growth: parseJsonText(growth) }]),
  );
}
