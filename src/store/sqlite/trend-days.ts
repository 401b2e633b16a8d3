/**
 * The day that the rankings are of, and the way to the next one. The posts whose captures enter or leave a period are
 * counted again in the order of those captures, some thousands a transaction. Between two transactions, the posts up
 * to the place that was reached are counted as of the new day, and the others as of the old.
 */
import type { PlatformName } from "#domain/record.ts";
import { dayOf, startOfDay } from "#domain/time.ts";
import { daysThatMove, type DayRange, firstDayThatCounts } from "../trends.ts";
import type { Database } from "./database.ts";

export interface Place {
  platform: PlatformName;
  captured_at: number;
  id: string;
}

const START: Place = { platform: "", captured_at: 0, id: "" };
const ROWS_AT_ONCE = 1_000;

const HELD = "SELECT day, goal, platform, captured_at, id FROM trend_state";
const KEEP = "INSERT OR REPLACE INTO trend_state (one, day, goal, platform, captured_at, id) VALUES (1, ?, ?, ?, ?, ?)";
const CAPTURES = `SELECT captured_at, id FROM counter_points
  WHERE platform = ? AND kind = 'post' AND captured_at < ? AND (captured_at, id) > (?, ?)
  ORDER BY captured_at, id LIMIT ?`;

export class TrendDays {
  readonly #db: Database;
  /** The day that they come from; null when nothing was counted yet. */
  from: number | null;
  /** The day that they go to, or are of. */
  to: number;
  #reached: Place;
  #ranges: DayRange[];

  private constructor(db: Database, from: number | null, to: number, reached: Place) {
    this.#db = db;
    this.from = from;
    this.to = to;
    this.#reached = reached;
    this.#ranges = rangesBetween(from, to);
  }

  static held(db: Database): TrendDays | null {
    const row = db.get<Place & { day: number | null; goal: number }>(HELD);
    return row === undefined ? null : new TrendDays(db, row.day, row.goal, row);
  }

  static startAnew(db: Database, today: number): TrendDays {
    return new TrendDays(db, null, today, START);
  }

  isAt(today: number): boolean {
    return this.from === this.to && this.to >= today;
  }

  /** Whether there is a way to go. A clock that was put back changes nothing: days only go forward. */
  headFor(today: number): boolean {
    if (this.isAt(today)) return false;
    if (this.from === this.to) {
      this.to = today;
      this.#reached = START;
      this.#ranges = rangesBetween(this.from, today);
    }
    return true;
  }

  /** The first of a post's captures that count differently on the new day. */
  firstThatMoves(times: readonly number[]): number | undefined {
    return times.find((time) => {
      const day = dayOf(time);
      return this.#ranges.some(({ first, last }) => first <= day && day <= last);
    });
  }

  /** As of which day a post is counted at present. */
  dayOfPost(platform: PlatformName, id: string, times: readonly number[]): number | null {
    const captured_at = this.from === this.to ? undefined : this.firstThatMoves(times);
    if (captured_at === undefined) return this.to;
    return isPast({ platform, captured_at, id }, this.#reached) ? this.from : this.to;
  }

  /** The captures that move, from the place reached on; the place is kept when they were dealt with. */
  *nextCaptures(limit: number): Generator<Place> {
    let left = limit;
    for (const platform of this.#platforms(this.#reached.platform)) {
      for (const { first, last } of this.#ranges) {
        for (;;) {
          const rows = this.#capturesAfter(platform, first, last, Math.min(left, ROWS_AT_ONCE));
          for (const row of rows) yield (this.#reached = { platform, ...row });
          left -= rows.length;
          if (left === 0) return this.#keep();
          if (rows.length === 0) break;
        }
      }
    }
    this.from = this.to;
    this.#keep();
  }

  #capturesAfter(platform: PlatformName, first: number, last: number, limit: number): Omit<Place, "platform">[] {
    const { captured_at, id } =
      this.#reached.platform === platform && this.#reached.captured_at >= startOfDay(first)
        ? this.#reached
        : { captured_at: startOfDay(first), id: "" };
    return this.#db.all(CAPTURES, platform, startOfDay(last + 1), captured_at, id, limit);
  }

  #keep(): void {
    const { platform, captured_at, id } = this.#reached;
    this.#db.run(KEEP, this.from, this.to, platform, captured_at, id);
  }

  /** In their order, from one on. */
  *#platforms(first: PlatformName): Generator<PlatformName> {
    const next = (sql: string, after: string) => this.#db.get<{ platform: string }>(sql, after)?.platform;
    let platform = next("SELECT min(platform) AS platform FROM counter_points WHERE platform >= ?", first);
    while (platform != null) {
      yield platform;
      platform = next("SELECT min(platform) AS platform FROM counter_points WHERE platform > ?", platform);
    }
  }
}

function rangesBetween(from: number | null, to: number): DayRange[] {
  return from === null ? [{ first: firstDayThatCounts(to), last: to }] : daysThatMove(from, to);
}

function isPast(place: Place, reached: Place): boolean {
  if (place.platform !== reached.platform) return place.platform > reached.platform;
  if (place.captured_at !== reached.captured_at) return place.captured_at > reached.captured_at;
  return place.id > reached.id;
}
