/**
 * Keeps the rankings by growth in step with the records. A transaction notes the posts that it changes, with what is
 * counted of them so far; they are counted anew when it ends, or, within a long import, some thousands together. When
 * the day changes, only the posts whose captures enter or leave a period are counted again.
 */
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, PlatformName } from "#domain/record.ts";
import { dayOf, startOfDay } from "#domain/time.ts";
import { daysThatMove, type DayRange, firstDayThatCounts, type Share, shareOf } from "../trends.ts";
import type { Sql } from "./sql.ts";
import { TrendSumsUpkeep } from "./trend-sums.ts";

/** More than these wait to be counted together: posts share hashtags and sounds, so each costs less. */
const FEW_POSTS = 500;
const MANY_POSTS = 20_000;
const ROWS_AT_ONCE = 1_000;

const TABLES = ["trend_sums", "trend_days", "trend_uncounted"];

interface PostOf {
  platform: PlatformName;
  id: string;
}

/** A post before it changes: its header, or null when it is not held. */
export interface NotedPost {
  id: string;
  header: string | null;
}

export async function heldDay(sql: Sql): Promise<number | null> {
  return (await sql.get<{ day: number }>("SELECT day FROM trend_state"))?.day ?? null;
}

export class TrendWriter {
  readonly #sql: Sql;
  readonly #sums: TrendSumsUpkeep;
  /** The day that the sums are of. */
  readonly #day: number;
  #noted = 0;

  constructor(sql: Sql, sums: TrendSumsUpkeep, day: number) {
    this.#sql = sql;
    this.#sums = sums;
    this.#day = day;
  }

  /** Within a transaction, before its first change. */
  static async begin(sql: Sql, today: number): Promise<TrendWriter> {
    const held = await heldDay(sql);
    const sums = new TrendSumsUpkeep(sql);
    if (held === null) {
      for (const table of TABLES) await sql.run(`DELETE FROM ${table}`);
      await recount(sql, sums, [{ first: firstDayThatCounts(today), last: today }], null, today);
    } else if (held < today) {
      await countWaiting(sql, sums, held);
      await recount(sql, sums, daysThatMove(held, today), held, today);
    }
    // A clock that was put back changes nothing: days only go forward.
    return new TrendWriter(sql, sums, Math.max(held ?? today, today));
  }

  /** Before posts change, their counters too. */
  async note(platform: PlatformName, posts: readonly NotedPost[]): Promise<void> {
    if (posts.length === 0) return;
    this.#noted += posts.length;
    const known = posts.filter(({ header }) => header !== null).map(({ id }) => id);
    const points = await pointsOf(this.#sql, platform, known);
    const counted = posts.map(({ id, header }) => {
      const share = shareFrom(id, header, points.get(id), this.#day);
      return share === null ? null : JSON.stringify(share);
    });
    // What is counted of a post does not change while it waits.
    await this.#sql.run(
      `INSERT INTO trend_uncounted (platform, id, counted) SELECT $1, id, counted
       FROM unnest($2::text[], $3::text[]) AS noted (id, counted) ON CONFLICT (platform, id) DO NOTHING`,
      platform,
      posts.map(({ id }) => id),
      counted,
    );
  }

  /** After the last change. What may wait is counted later if there is much of it. */
  async finish(mayWait: boolean): Promise<void> {
    if (this.#noted === 0 && mayWait) return;
    const row = await this.#sql.get<{ n: number }>("SELECT count(*) AS n FROM trend_uncounted");
    const waiting = row?.n ?? 0;
    if (waiting === 0 || (mayWait && waiting > FEW_POSTS && waiting < MANY_POSTS)) return;
    await countWaiting(this.#sql, this.#sums, this.#day);
  }
}

/** Null when it counts for nothing. */
function shareFrom(id: string, header: string | null, points: readonly CounterPoint[] = [], day: number): Share | null {
  const newest = points.at(-1)?.capturedAt;
  if (header === null || newest === undefined || dayOf(newest) < firstDayThatCounts(day)) return null;
  return shareOf(id, JSON.parse(header) as Post, points, day);
}

/** Of each post its captured counters, oldest first. */
async function pointsOf(
  sql: Sql,
  platform: PlatformName,
  ids: readonly string[],
): Promise<Map<string, CounterPoint[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.all<{ id: string; captured_at: number; counters: string }>(
    `SELECT id, captured_at, counters FROM counter_points
     WHERE id = ANY($1) AND platform = $2 AND kind = 'post' ORDER BY id, captured_at`,
    ids,
    platform,
  );
  const points = new Map<string, CounterPoint[]>();
  for (const { id, captured_at, counters } of rows) {
    let held = points.get(id);
    if (held === undefined) points.set(id, (held = []));
    held.push({ capturedAt: captured_at, counters: JSON.parse(counters) as Counters });
  }
  return points;
}

async function headersOf(sql: Sql, platform: PlatformName, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.all<{ id: string; header: string }>(
    "SELECT id, header FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
    ids,
    platform,
  );
  return new Map(rows.map(({ id, header }) => [id, header]));
}

async function countWaiting(sql: Sql, sums: TrendSumsUpkeep, day: number): Promise<void> {
  let last = { platform: "", id: "" };
  for (;;) {
    const rows = await sql.all<PostOf & { counted: string | null }>(
      `SELECT platform, id, counted FROM trend_uncounted WHERE (platform, id) > ($1, $2)
       ORDER BY platform, id LIMIT $3`,
      last.platform,
      last.id,
      ROWS_AT_ONCE,
    );
    for (const [platform, posts] of Map.groupBy(rows, (row) => row.platform)) {
      const ids = posts.map(({ id }) => id);
      const [points, headers] = await Promise.all([pointsOf(sql, platform, ids), headersOf(sql, platform, ids)]);
      for (const { id, counted } of posts) {
        const before = counted === null ? null : (JSON.parse(counted) as Share);
        sums.replace(platform, before, shareFrom(id, headers.get(id) ?? null, points.get(id), day));
      }
      await sums.writeIfMany();
    }
    if (rows.length < ROWS_AT_ONCE) break;
    last = rows.at(-1) as (typeof rows)[number];
  }
  await sums.write();
  await sql.run("DELETE FROM trend_uncounted");
}

/** Counts the posts that were captured on the days given as of another day. */
async function recount(
  sql: Sql,
  sums: TrendSumsUpkeep,
  ranges: readonly DayRange[],
  from: number | null,
  to: number,
): Promise<void> {
  for await (const [platform, ids] of captured(sql, ranges)) {
    const [points, headers] = await Promise.all([pointsOf(sql, platform, ids), headersOf(sql, platform, ids)]);
    for (const id of ids) {
      const header = headers.get(id) ?? null;
      const before = from === null ? null : shareFrom(id, header, points.get(id), from);
      sums.replace(platform, before, shareFrom(id, header, points.get(id), to));
    }
    await sums.writeIfMany();
  }
  await sums.write();
  await sql.run("DELETE FROM trend_state");
  await sql.run("INSERT INTO trend_state (day) VALUES ($1)", to);
}

/** The posts that were captured on the days given, each once, some at a time. */
async function* captured(
  sql: Sql,
  ranges: readonly DayRange[],
): AsyncGenerator<[platform: PlatformName, ids: string[]]> {
  const within = ranges.map(
    ({ first, last }) => `captured_at >= ${startOfDay(first)} AND captured_at < ${startOfDay(last + 1)}`,
  );
  await sql.run(`DECLARE captured NO SCROLL CURSOR FOR
    SELECT DISTINCT platform, id FROM counter_points WHERE kind = 'post' AND (${within.join(" OR ")})`);
  for (;;) {
    const rows = await sql.all<PostOf>(`FETCH ${ROWS_AT_ONCE} FROM captured`);
    for (const [platform, posts] of Map.groupBy(rows, (row) => row.platform)) {
      yield [platform, posts.map(({ id }) => id)];
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await sql.run("CLOSE captured");
}
