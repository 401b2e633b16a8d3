/** The rankings' tables on PostgreSQL: see refresh-trends.ts and list-trends.ts for what is done with them. */
import type { CounterPoint, Counters, PlatformName } from "#domain/record.ts";
import type { TrendQueries } from "../list-trends.ts";
import type { CountedPost, StagedGrowth, TrendState, TrendTables, TrendTarget } from "../refresh-trends.ts";
import {
  changedChunks,
  encodeChunks,
  isPostList,
  keysWithoutPosts,
  type TrendChunk,
  withoutPosts,
} from "../trend-chunks.ts";
import type { ListedPost, TrendList } from "../trend-rankings.ts";
import type { Table } from "../sql/table.ts";
import { type DayGrowth, listRange } from "../trends.ts";
import type { Database } from "./database.ts";
import { notify } from "./events.ts";
import type { RecordReads } from "./record-reads.ts";
import type { Sql } from "./sql.ts";
import { insert, upsert } from "./upsert.ts";
import { acquireWriteLock } from "./write-lock.ts";

/** Read at once. Each statement is short, so that an erasure's VACUUM need not wait for an old snapshot. */
const BATCH_POSTS = 2_000;
const BATCH_LISTED = 5_000;
const BATCH_LISTS = 50;

interface ChunkRow extends TrendChunk {
  list: string;
}

const CHUNKS: Table<ChunkRow> = {
  name: "trend_chunks",
  key: ["list", "period", "chunk"],
  columns: { list: "text", period: "bigint", chunk: "bigint", count: "bigint", entries: "json" },
};

const LISTS: Table<{ name: string; day: number }> = {
  name: "trend_lists",
  key: ["name"],
  columns: { name: "text", day: "bigint" },
};

interface GrowthRow {
  id: string;
  platform: PlatformName;
  country: string | null;
  /** JSON */
  days: string;
}

const GROWTH: Table<GrowthRow> = {
  name: "trend_growth",
  key: ["id", "platform"],
  columns: { id: "text", platform: "text", country: "text", days: "json" },
};

export async function getTrendState(sql: Sql): Promise<TrendState> {
  const row = await sql.get<TrendState>('SELECT version, computed_version AS "computedVersion", day FROM trend_state');
  return row as TrendState;
}

/** In every transaction that changes posts or their counters. */
export async function markTrendsStale(sql: Sql): Promise<void> {
  await sql.run("UPDATE trend_state SET version = version + 1");
}

/**
 * Deleted posts leave every ranking in the transaction that deletes them, and so do hashtags and sounds that only they
 * had. To be called after they have left their lists.
 */
export async function deleteFromTrends(sql: Sql, platform: PlatformName, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return;
  const deleted = new Set(postIds);
  for (const kind of ["post", "hashtag", "sound"] as const) {
    const isPosts = kind === "post";
    const [from, to] = listRange(platform, kind);
    const lists = await sql.all<{ name: string }>(
      "SELECT name FROM trend_lists WHERE name >= $1 AND name < $2",
      from,
      to,
    );
    for (let start = 0; start < lists.length; start += BATCH_LISTS) {
      const names = lists.slice(start, start + BATCH_LISTS).map(({ name }) => name);
      const chunks = await readChunks(sql, names);
      const unused = isPosts ? [] : await readUnused(sql, platform, kind, keysWithoutPosts(chunks, deleted));
      await upsert(sql, CHUNKS, changedChunks(isPosts, chunks, deleted, new Set(unused)));
    }
  }
  await markTrendsStale(sql);
}

function readChunks(sql: Sql, lists: readonly string[]): Promise<ChunkRow[]> {
  return sql.all<ChunkRow>("SELECT list, period, chunk, count, entries FROM trend_chunks WHERE list = ANY($1)", lists);
}

async function readUnused(
  sql: Sql,
  platform: PlatformName,
  kind: "hashtag" | "sound",
  keys: readonly string[],
): Promise<string[]> {
  const rows = await sql.all<{ key: string }>(
    `SELECT deleted.key FROM unnest($1::text[]) AS deleted (key) WHERE NOT EXISTS
       (SELECT FROM post_lists l WHERE l.key = deleted.key AND l.platform = $2 AND l.list = $3)`,
    keys,
    platform,
    kind,
  );
  return rows.map(({ key }) => key);
}

/** All on one connection, which holds a lock: one refresh at a time, whichever process it is in. */
export function createTrendTables(sql: Sql): TrendTables {
  return {
    getState: () => getTrendState(sql),
    async *readPosts() {
      await sql.run("DROP TABLE IF EXISTS pg_temp.trend_growth");
      await sql.run(`CREATE TEMPORARY TABLE trend_growth (
        id text COLLATE "C" NOT NULL, platform text COLLATE "C" NOT NULL, country text, days text NOT NULL,
        PRIMARY KEY (id, platform))`);
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
        last = rows.at(-1) as CountedPost;
      }
    },
    stageGrowth: (staged) => insert(sql, GROWTH, staged.map(toGrowthRow)),
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
        last = rows.at(-1) as typeof last;
      }
    },
    replaceLists: (lists, target) => inTransaction(sql, () => replaceLists(sql, lists, target)),
    async finish(names, { version, day }) {
      await inTransaction(sql, async () => {
        const others = await sql.all<{ name: string }>(
          "DELETE FROM trend_lists WHERE name <> ALL($1) RETURNING name",
          names,
        );
        await sql.run(
          "DELETE FROM trend_chunks WHERE list = ANY($1)",
          others.map(({ name }) => name),
        );
        await sql.run("UPDATE trend_state SET computed_version = $1, day = $2", version, day);
        const changed = [...names, ...others.map(({ name }) => name)].map((name) => name.slice(0, name.indexOf("/")));
        for (const platform of new Set(changed)) await notify(sql, { about: "records", platform });
      });
      await sql.run("DROP TABLE pg_temp.trend_growth");
    },
  };
}

async function inTransaction(sql: Sql, work: () => Promise<void>): Promise<void> {
  await sql.run("BEGIN");
  await acquireWriteLock(sql);
  await work();
  await sql.run("COMMIT");
}

async function withPoints(sql: Sql, posts: readonly Omit<CountedPost, "points">[]): Promise<CountedPost[]> {
  const rows = await sql.all<{ id: string; platform: PlatformName; captured_at: number; counters: string }>(
    `SELECT id, platform, captured_at, counters FROM counter_points
     WHERE id = ANY($1) AND kind = 'post' ORDER BY id, platform, captured_at`,
    posts.map(({ id }) => id),
  );
  const points = new Map<string, CounterPoint[]>();
  for (const { id, platform, captured_at, counters } of rows) {
    const name = `${platform}/${id}`;
    const point = { capturedAt: captured_at, counters: JSON.parse(counters) as Counters };
    const earlier = points.get(name);
    if (earlier === undefined) points.set(name, [point]);
    else earlier.push(point);
  }
  return posts.map((post) => ({ ...post, points: points.get(`${post.platform}/${post.id}`) ?? [] }));
}

function toGrowthRow({ post: { id, platform }, growth }: StagedGrowth<CountedPost>): GrowthRow {
  return { id, platform, country: growth.country, days: JSON.stringify(growth.days) };
}

async function readGrowth(sql: Sql, ids: readonly string[]): Promise<Map<string, ListedPost["growth"]>> {
  const rows = await sql.all<GrowthRow>("SELECT id, platform, country, days FROM trend_growth WHERE id = ANY($1)", ids);
  return new Map(
    rows.map(({ id, platform, country, days }) => [
      `${platform}/${id}`,
      { country, days: JSON.parse(days) as DayGrowth[] },
    ]),
  );
}

async function replaceLists(sql: Sql, lists: readonly TrendList[], target: TrendTarget): Promise<void> {
  const isUnchanged = (await getTrendState(sql)).version === target.version;
  const chunks: ChunkRow[] = [];
  for (const [platform, own] of Map.groupBy(lists, (list) => list.platform)) {
    const stored = isUnchanged ? null : await readStored(sql, platform, own);
    const isDeleted = (id: string) => stored !== null && !stored.has(id);
    for (const { name, entries } of own) {
      const left = withoutPosts(isPostList(platform, name), entries, isDeleted);
      chunks.push(...encodeChunks(left).map((chunk) => ({ ...chunk, list: name })));
    }
  }
  const names = lists.map(({ name }) => name);
  const before = new Map((await readChunks(sql, names)).map((chunk) => [chunkKey(chunk), chunk]));
  await upsert(
    sql,
    LISTS,
    names.map((name) => ({ name, day: target.day })),
  );
  // Chunks that are the same as before are not written again.
  const changed = chunks.filter((chunk) => before.get(chunkKey(chunk))?.entries !== chunk.entries);
  await upsert(sql, CHUNKS, changed);
  for (const chunk of chunks) before.delete(chunkKey(chunk));
  for (const { list, period, chunk } of before.values()) {
    await sql.run("DELETE FROM trend_chunks WHERE list = $1 AND period = $2 AND chunk = $3", list, period, chunk);
  }
}

function chunkKey({ list, period, chunk }: ChunkRow): string {
  return `${list} ${period} ${chunk}`;
}

/** The posts of these lists that are still stored. */
async function readStored(sql: Sql, platform: PlatformName, lists: readonly TrendList[]): Promise<Set<string>> {
  const ids = lists.flatMap(({ name, entries }) =>
    entries.flatMap(({ key, topPostIds }) => (isPostList(platform, name) ? [key] : topPostIds)),
  );
  const rows = await sql.all<{ id: string }>(
    "SELECT id FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
    [...new Set(ids)],
    platform,
  );
  return new Set(rows.map(({ id }) => id));
}

export function createTrendQueries(db: Database, records: RecordReads): TrendQueries {
  return {
    async getDay(list) {
      const row = await db.get<{ day: number | null }>(
        "SELECT coalesce((SELECT day FROM trend_lists WHERE name = $1), (SELECT day FROM trend_state)) AS day",
        list,
      );
      return row?.day ?? null;
    },
    listCounts: (list, period) =>
      db.all("SELECT chunk, count FROM trend_chunks WHERE list = $1 AND period = $2 ORDER BY chunk", list, period),
    listEntries: (list, period, first, last) =>
      db.all(
        "SELECT entries FROM trend_chunks WHERE list = $1 AND period = $2 AND chunk BETWEEN $3 AND $4 ORDER BY chunk",
        list,
        period,
        first,
        last,
      ),
    listRecords: (kind, ids) => records.listEach(kind, ids),
  };
}
