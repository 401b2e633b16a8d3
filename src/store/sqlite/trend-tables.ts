/** The rankings' tables in SQLite: see refresh-trends.ts and list-trends.ts for what is done with them. */
import type { CounterPoint, Counters, PlatformName, StoredRecord } from "#domain/record.ts";
import type { TrendQueries } from "../list-trends.ts";
import { RECORD_COLUMNS, parseRecordRow, type RecordRow } from "../record-row.ts";
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
import { type DayGrowth, listRange, TREND_PERIODS } from "../trends.ts";
import type { Database } from "./database.ts";

/** Read at once: other tasks of the thread run in between. */
const BATCH_POSTS = 500;
const BATCH_LISTED = 2_000;

const GET_STATE = "SELECT version, computed_version AS computedVersion, day FROM trend_state";
const READ_POSTS = `SELECT number, platform, id, header FROM records
  WHERE number > ? AND kind = 'post' ORDER BY number LIMIT ?`;
const READ_POINTS = `SELECT captured_at, counters FROM counter_points
  WHERE platform = ? AND kind = 'post' AND id = ? ORDER BY captured_at`;
const STAGE = `INSERT INTO temp.trend_growth (record, country, days)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const LISTED = `SELECT l.key, l.at, l.post_id, g.country, g.days
  FROM post_lists l LEFT JOIN temp.trend_growth g ON g.record = l.record WHERE l.platform = ? AND l.list = ?`;
const READ_REST_OF_KEY = `${LISTED} AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
  ORDER BY l.at DESC, l.post_id LIMIT ?`;
const READ_NEXT_KEYS = `${LISTED} AND l.key > ? ORDER BY l.key, l.at DESC, l.post_id LIMIT ?`;

const IS_OUTDATED = `SELECT 1 FROM trend_state WHERE computed_version > ? OR day > ?
  UNION ALL SELECT 1 FROM trend_lists WHERE name = ? AND (version > ? OR day > ?)`;
const IS_STORED = "SELECT 1 FROM records WHERE platform = ? AND kind = 'post' AND id = ?";
const IS_USED = "SELECT 1 FROM post_lists WHERE platform = ? AND list = ? AND key = ?";
const PUT_LIST = "INSERT OR REPLACE INTO trend_lists (name, version, day) VALUES (?, ?, ?)";
// Chunks that are the same as before are not written again.
const PUT_CHUNK = `INSERT INTO trend_chunks (list, period, chunk, count, entries) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (list, period, chunk) DO UPDATE SET count = excluded.count, entries = excluded.entries
  WHERE entries <> excluded.entries`;
const DELETE_LATER_CHUNKS = "DELETE FROM trend_chunks WHERE list = ? AND period = ? AND chunk >= ?";
const OTHER_LISTS = "NOT IN (SELECT value FROM json_each(?))";

const GET_RECORD = `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`;

interface NumberedPost extends CountedPost {
  number: number;
}

type ListedRow = [key: string, at: number, postId: string, country: string | null, days: string | null];

export function getTrendState(db: Database): TrendState {
  return db.get<TrendState>(GET_STATE) as TrendState;
}

/** In every transaction that changes posts or their counters. */
export function markTrendsStale(db: Database): void {
  db.run("UPDATE trend_state SET version = version + 1");
}

/**
 * Deleted posts leave every ranking in the transaction that deletes them, and so do hashtags and sounds that only they
 * had. To be called after they have left their lists.
 */
export function deleteFromTrends(db: Database, platform: PlatformName, postIds: readonly string[]): void {
  if (postIds.length === 0) return;
  const deleted = new Set(postIds);
  const lists = db.all<{ name: string }>(
    "SELECT name FROM trend_lists WHERE name >= ? AND name < ?",
    ...listRange(platform),
  );
  for (const { name } of lists) {
    const isPosts = isPostList(platform, name);
    const chunks = db.all<TrendChunk>("SELECT period, chunk, count, entries FROM trend_chunks WHERE list = ?", name);
    const keys = isPosts ? [] : keysWithoutPosts(chunks, deleted);
    const isUsed = (key: string) => db.get(IS_USED, platform, name.split("/")[1] as string, key) !== undefined;
    const unused = new Set(keys.filter((key) => !isUsed(key)));
    for (const { period, chunk, count, entries } of changedChunks(isPosts, chunks, deleted, unused)) {
      db.run(PUT_CHUNK, name, period, chunk, count, entries);
    }
  }
  markTrendsStale(db);
}

export function createTrendTables(db: Database): TrendTables<NumberedPost> {
  const platforms = new Set<PlatformName>();

  return {
    getState: async () => getTrendState(db),
    *readPosts() {
      db.exec(`DROP TABLE IF EXISTS temp.trend_growth;
        CREATE TEMP TABLE trend_growth (record INTEGER PRIMARY KEY, country TEXT, days TEXT NOT NULL)`);
      for (let last = 0; ;) {
        const rows = db.all<Omit<NumberedPost, "points">>(READ_POSTS, last, BATCH_POSTS);
        if (rows.length === 0) return;
        for (const { platform } of rows) platforms.add(platform);
        yield rows.map((row) => ({ ...row, points: readPoints(db, row.platform, row.id) }));
        last = (rows.at(-1) as NumberedPost).number;
      }
    },
    async stageGrowth(staged: readonly StagedGrowth<NumberedPost>[]) {
      const rows = staged.map(({ post, growth }) => [post.number, growth.country, JSON.stringify(growth.days)]);
      db.run(STAGE, JSON.stringify(rows));
    },
    *readListedPosts() {
      for (const platform of platforms) {
        for (const kind of ["hashtag", "sound"] as const) yield* readListed(db, platform, kind);
      }
    },
    async replaceLists(lists, target) {
      db.transaction(() => {
        for (const list of lists) replaceList(db, list, target);
      });
    },
    async finish(names, { version, day }) {
      const all = JSON.stringify(names);
      db.transaction(() => {
        if (isOutdated(db, "", { version, day })) return;
        db.run(`DELETE FROM trend_lists WHERE name ${OTHER_LISTS}`, all);
        db.run(`DELETE FROM trend_chunks WHERE list ${OTHER_LISTS}`, all);
        db.run("UPDATE trend_state SET computed_version = ?, day = ?", version, day);
      });
      db.exec("DROP TABLE temp.trend_growth");
    },
  };
}

function readPoints(db: Database, platform: PlatformName, id: string): CounterPoint[] {
  return db
    .allTuples<[number, string]>(READ_POINTS, platform, id)
    .map(([capturedAt, counters]) => ({ capturedAt, counters: JSON.parse(counters) as Counters }));
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
  [key, , postId, country, days]: ListedRow,
): ListedPost {
  const growth = days === null ? null : { country, days: JSON.parse(days) as DayGrowth[] };
  return { platform, kind, key, postId, growth };
}

/** Another process has computed newer rankings meanwhile. */
function isOutdated(db: Database, list: string, { version, day }: TrendTarget): boolean {
  return db.get(IS_OUTDATED, version, day, list, version, day) !== undefined;
}

function replaceList(db: Database, list: TrendList, target: TrendTarget): void {
  const { platform, name } = list;
  if (isOutdated(db, name, target)) return;
  const isDeleted = (id: string) => db.get(IS_STORED, platform, id) === undefined;
  const isUnchanged = getTrendState(db).version === target.version;
  const chunks = encodeChunks(
    isUnchanged ? list.entries : withoutPosts(isPostList(platform, name), list.entries, isDeleted),
  );
  db.run(PUT_LIST, name, target.version, target.day);
  for (const { period, chunk, count, entries } of chunks) db.run(PUT_CHUNK, name, period, chunk, count, entries);
  for (const period of TREND_PERIODS) {
    db.run(DELETE_LATER_CHUNKS, name, period, chunks.filter((chunk) => chunk.period === period).length);
  }
}

export function createTrendQueries(db: Database, platform: PlatformName): TrendQueries {
  return {
    async getDay(list) {
      const row = db.get<{ day: number | null }>(
        "SELECT coalesce((SELECT day FROM trend_lists WHERE name = ?), (SELECT day FROM trend_state)) AS day",
        list,
      );
      return row?.day ?? null;
    },
    async listCounts(list, period) {
      return db.all("SELECT chunk, count FROM trend_chunks WHERE list = ? AND period = ? ORDER BY chunk", list, period);
    },
    async listEntries(list, period, first, last) {
      return db.all(
        "SELECT entries FROM trend_chunks WHERE list = ? AND period = ? AND chunk BETWEEN ? AND ? ORDER BY chunk",
        list,
        period,
        first,
        last,
      );
    },
    async listRecords(kind, ids) {
      return ids.map((id) => {
        const row = db.get<RecordRow>(GET_RECORD, platform, kind, id);
        return row === undefined ? null : parseRecordRow<StoredRecord<object>>(row);
      });
    },
  };
}
