/** Reads what the rankings are computed from, and notes what they were computed for: see refresh.ts. */
import { exactCaptures } from "#domain/approximate.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import { present } from "#domain/present.ts";
import type { CounterPoint, PlatformName } from "#domain/record.ts";
import { createTable } from "#store/sqlite/schema.ts";
import { TREND_GROWTH } from "./tables.ts";
import { runSync } from "#store/sql/sql.ts";
import type { CountedPost, TrendState, TrendTables } from "./ranking-store.ts";
import type { ListedPost } from "./rankings.ts";
import type { Growth } from "./growth.ts";
import type { Database } from "#store/sqlite/database.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";

/** Rows per statement: other tasks of the thread run in between. */
const BATCH_POSTS = 500;
const BATCH_LISTED = 2_000;

const GET_STATE = "SELECT version, computed_version AS computedVersion, day FROM trend_state";
const READ_POSTS = `SELECT number, platform, id, header FROM records
  WHERE number > ? AND kind = 'post' ORDER BY number LIMIT ?`;
const READ_POINTS = `SELECT captured_at, counters FROM counter_points
  WHERE platform = ? AND kind = 'post' AND id = ? ORDER BY captured_at`;
const STAGE = `INSERT INTO temp.trend_growth (record, country, growth)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const LISTED = `SELECT l.key, l.at, l.post_id, g.country, g.growth
  FROM post_lists l LEFT JOIN temp.trend_growth g ON g.record = l.record WHERE l.platform = ? AND l.list = ?`;
const READ_REST_OF_KEY = `${LISTED} AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
  ORDER BY l.at DESC, l.post_id LIMIT ?`;
const READ_NEXT_KEYS = `${LISTED} AND l.key > ? ORDER BY l.key, l.at DESC, l.post_id LIMIT ?`;
/** Several processes may compute rankings concurrently: an older computation must not replace a newer list. */
const CLAIM_LIST = `INSERT INTO trend_lists (name, version, day, computed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, day = excluded.day, computed_at = excluded.computed_at
  WHERE version <= excluded.version AND day <= excluded.day`;

interface NumberedPost extends CountedPost {
  number: number;
}

type ListedRow = [key: string, at: number, postId: string, country: string | null, growth: JsonText<Growth> | null];

export function getTrendState(db: Database): TrendState {
  return present(db.get<TrendState>(GET_STATE));
}

/** In every transaction that changes posts or their counters. */
export function markTrendsStale(db: Database): void {
  db.run("UPDATE trend_state SET version = version + 1");
}

export function createTrendTables(db: Database): TrendTables<NumberedPost> {
  const platforms = new Set<PlatformName>();
  const steps = stepsOn(db);
  return {
    getState: () => getTrendState(db),
    *readPosts() {
      // By default 2 MiB of temporary tables are cached, and each listed post would read its growth from the disk.
      db.exec(`PRAGMA temp.cache_size = -65536; DROP TABLE IF EXISTS temp.trend_growth;
        ${createTable(TREND_GROWTH.sqlite, "TEMPORARY TABLE")}`);
      for (let last = 0; ;) {
        const rows = db.all<Omit<NumberedPost, "points">>(READ_POSTS, last, BATCH_POSTS);
        if (rows.length === 0) return;
        for (const { platform } of rows) platforms.add(platform);
        yield rows.map((row) => ({ ...row, points: readPoints(db, row.platform, row.id) }));
        last = present(rows.at(-1)).number;
      }
    },
    stageGrowth(staged) {
      const rows = staged.map(({ post, growth }) => [post.number, growth.country, JSON.stringify(growth.growth)]);
      db.run(STAGE, JSON.stringify(rows));
    },
    dropStaged: () => db.exec("DROP TABLE temp.trend_growth"),
    *readListedPosts() {
      for (const platform of platforms) {
        for (const kind of ["hashtag", "sound"] as const) yield* readListed(db, platform, kind);
      }
    },
    transaction: (work) => db.transaction(() => runSync(work(steps))),
    claimLists: (names, { version, day, computedAt }) =>
      names.filter((name) => db.run(CLAIM_LIST, name, version, day, computedAt).changes > 0),
    finish({ version, day, computedAt }) {
      db.run("UPDATE trend_state SET computed_version = ?, day = ?, computed_at = ?", version, day, computedAt);
    },
    // Other processes see a commit by the version of the file.
    notify: () => undefined,
  };
}

function readPoints(db: Database, platform: PlatformName, id: string): CounterPoint[] {
  const points = db.allTuples<[number, string]>(READ_POINTS, platform, id);
  return exactCaptures(
    platform,
    points.map(([capturedAt, counters]) => ({ capturedAt, counters })),
  );
}

function* readListed(db: Database, platform: PlatformName, kind: "hashtag" | "sound"): Generator<ListedPost[]> {
  for (let last: ListedRow | undefined; ;) {
    const [key = "", at = 0, postId = ""] = last ?? [];
    const rows =
      last === undefined
        ? []
        : db.allTuples<ListedRow>(READ_REST_OF_KEY, platform, kind, key, at, at, postId, BATCH_LISTED);
    if (rows.length < BATCH_LISTED) {
      rows.push(...db.allTuples<ListedRow>(READ_NEXT_KEYS, platform, kind, key, BATCH_LISTED));
    }
    if (rows.length === 0) return;
    yield rows.map((row) => toListedPost(platform, kind, row));
    last = rows.at(-1);
  }
}

function toListedPost(
  platform: PlatformName,
  kind: "hashtag" | "sound",
  [key, , postId, country, staged]: ListedRow,
): ListedPost {
  const growth = staged === null ? null : { country, growth: parseJsonText(staged) };
  return { platform, kind, key, postId, growth };
}
