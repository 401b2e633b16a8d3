/**
 * Keeps the rankings by growth in step with the records. A transaction notes the posts that it changes, with what is
 * counted of them so far; they are counted anew when it ends, or, within a long import, some thousands together. When
 * the day changes, `TrendDays` says which posts count as of which day.
 */
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, PlatformName } from "#domain/record.ts";
import { dayOf } from "#domain/time.ts";
import { firstDayThatCounts, type Share, shareOf } from "../trends.ts";
import type { Database } from "./database.ts";
import { TrendCounting } from "./trend-counting.ts";
import { TrendDays } from "./trend-days.ts";
import { TrendRanks } from "./trend-ranks.ts";

/** More than these wait to be counted together: posts share hashtags and sounds, so each costs less. */
const FEW_POSTS = 500;
const MANY_POSTS = 20_000;
const ROWS_AT_ONCE = 1_000;
/** Captures looked at in one transaction when the day changes: others wait for it no longer than for an import's batch. */
const CAPTURES_A_STEP = 2_000;

const POINTS = `SELECT captured_at, counters FROM counter_points
  WHERE platform = ? AND kind = 'post' AND id = ? ORDER BY captured_at`;
const HEADER = "SELECT header FROM records WHERE platform = ? AND kind = 'post' AND id = ?";
const UNCOUNTED = `SELECT platform, id, counted FROM trend_uncounted
  WHERE (platform, id) > (?, ?) ORDER BY platform, id LIMIT ?`;
const IS_WAITING = "SELECT 1 FROM trend_uncounted WHERE platform = ? AND id = ?";
// What is counted of a post does not change while it waits.
const WAIT = "INSERT OR IGNORE INTO trend_uncounted (platform, id, counted) VALUES (?, ?, ?)";

interface PointRow {
  captured_at: number;
  counters: string;
}

export class TrendUpkeep {
  readonly #db: Database;
  readonly #clock: () => number;
  readonly #ranks: TrendRanks;
  readonly #counting: TrendCounting;
  readonly #capturesAStep: number;
  /** Null outside a transaction that is to be counted. */
  #days: TrendDays | null = null;
  readonly #noted = new Set<string>();

  constructor(db: Database, clock: () => number, capturesAStep = CAPTURES_A_STEP) {
    this.#db = db;
    this.#clock = clock;
    this.#ranks = new TrendRanks(db);
    this.#counting = new TrendCounting(db, this.#ranks);
    this.#capturesAStep = capturesAStep;
  }

  /** Forgets a transaction that failed. Until `begin`, nothing is noted: what is only rehearsed needs no ranking. */
  rest(): void {
    this.#days = null;
    this.#noted.clear();
    this.#counting.begin();
    this.#ranks.begin();
  }

  /** Within a transaction, before its first change. Goes a step towards today. */
  begin(): void {
    this.rest();
    const days = TrendDays.held(this.#db) ?? this.#startAnew();
    if (days.headFor(this.#today())) this.#step(days);
    this.#days = days;
  }

  /** Within the transaction, after its last change. What may wait is counted later if there is much of it. */
  finish(mayWait = false): void {
    const waiting = this.#noted.size === 0 && mayWait ? 0 : this.#waiting();
    if (!mayWait || waiting <= FEW_POSTS || waiting >= MANY_POSTS) this.#countWaiting(this.#days as TrendDays);
    this.#ranks.finish();
    this.rest();
  }

  /** Takes no lock: it may be asked at any time. */
  isBehind(): boolean {
    return !(TrendDays.held(this.#db)?.isAt(this.#today()) ?? false);
  }

  /** A transaction that does nothing but go a step towards today. */
  catchUp(): void {
    this.#db.transaction(() => {
      this.begin();
      this.finish(true);
    });
  }

  /** Before a post's header changes; null when it is not held. */
  postChanges(platform: PlatformName, id: string, header: string | null): void {
    if (this.#days === null || this.#isNoted(platform, id)) return;
    this.#note(this.#days, platform, id, header);
  }

  /** Before a point is added to a post's history. */
  countersChange(platform: PlatformName, id: string): void {
    if (this.#days === null || this.#isNoted(platform, id)) return;
    const header = this.#header(platform, id);
    // The history of a post that is not held counts when the post comes.
    if (header !== null) this.#note(this.#days, platform, id, header);
  }

  #today(): number {
    return dayOf(this.#clock());
  }

  #isNoted(platform: PlatformName, id: string): boolean {
    return this.#noted.has(`${platform}/${id}`);
  }

  #note(days: TrendDays, platform: PlatformName, id: string, header: string | null): void {
    this.#noted.add(`${platform}/${id}`);
    const counted = header === null ? null : this.#shareNow(days, platform, id, header);
    this.#db.run(WAIT, platform, id, counted === null ? null : JSON.stringify(counted));
  }

  #waiting(): number {
    return (this.#db.get<{ n: number }>("SELECT count(*) AS n FROM trend_uncounted") as { n: number }).n;
  }

  #header(platform: PlatformName, id: string): string | null {
    return this.#db.get<{ header: string }>(HEADER, platform, id)?.header ?? null;
  }

  #points(platform: PlatformName, id: string): PointRow[] {
    return this.#db.all<PointRow>(POINTS, platform, id);
  }

  /** What a post counts for as of the day that it is counted for at present. */
  #shareNow(days: TrendDays, platform: PlatformName, id: string, header: string): Share | null {
    const rows = this.#points(platform, id);
    const times = rows.map((row) => row.captured_at);
    return rows.length === 0 ? null : share(id, header, rows, days.dayOfPost(platform, id, times));
  }

  #countWaiting(days: TrendDays): void {
    let last = { platform: "", id: "" };
    for (;;) {
      const rows = this.#db.all<{ platform: string; id: string; counted: string | null }>(
        UNCOUNTED,
        last.platform,
        last.id,
        ROWS_AT_ONCE,
      );
      for (const { platform, id, counted } of rows) {
        const header = this.#header(platform, id);
        const now = header === null ? null : this.#shareNow(days, platform, id, header);
        this.#counting.replace(platform, counted === null ? null : (JSON.parse(counted) as Share), now);
      }
      if (rows.length < ROWS_AT_ONCE) break;
      last = rows.at(-1) as (typeof rows)[number];
    }
    this.#counting.write();
    this.#db.run("DELETE FROM trend_uncounted");
  }

  /** From the records, as if nothing had been counted before. */
  #startAnew(): TrendDays {
    for (const table of ["trend_sums", "trend_days", "trend_ranks", "trend_heads", "trend_uncounted"]) {
      this.#db.exec(`DELETE FROM ${table}`);
    }
    return TrendDays.startAnew(this.#db, this.#today());
  }

  /** Counts the next posts that count differently on the day that the rankings go to. */
  #step(days: TrendDays): void {
    const anyWaits = this.#waiting() > 0;
    for (const { platform, id, captured_at } of days.nextCaptures(this.#capturesAStep)) {
      const rows = this.#points(platform, id);
      // A post is counted once, at the first of its captures that moves; one that waits is counted with the others.
      if (days.firstThatMoves(rows.map((row) => row.captured_at)) !== captured_at) continue;
      if (anyWaits && this.#db.get(IS_WAITING, platform, id) !== undefined) continue;
      const header = this.#header(platform, id);
      if (header === null) continue;
      this.#counting.replace(platform, share(id, header, rows, days.from), share(id, header, rows, days.to));
    }
    this.#counting.write();
  }
}

function share(id: string, header: string, rows: PointRow[], day: number | null): Share | null {
  const newest = rows.at(-1)?.captured_at;
  if (day === null || newest === undefined || dayOf(newest) < firstDayThatCounts(day)) return null;
  const points = rows.map((row): CounterPoint => {
    return { capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters };
  });
  return shareOf(id, JSON.parse(header) as Post, points, day);
}
