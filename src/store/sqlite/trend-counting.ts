/**
 * Adds shares of posts up and writes the sums: each entry that changed once, whatever number of posts changed it.
 * The arithmetic of a share is in `store/trends.ts`.
 */
import type { PlatformName } from "#domain/record.ts";
import { type PerPeriod, type Share, trendList, type TrendSums } from "../trends.ts";
import type { Database } from "./database.ts";
import type { TrendRanks } from "./trend-ranks.ts";

/** Changes held before they are written: bounds memory, whatever a transaction does. */
const CHANGES_AT_ONCE = 60_000;

const ADD_SUMS = `INSERT INTO trend_sums (list, key, gain_7, gain_30, gain_120, before_7, before_30, before_120,
    posts_7, posts_30, posts_120)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (list, key) DO UPDATE SET gain_7 = gain_7 + excluded.gain_7, gain_30 = gain_30 + excluded.gain_30,
    gain_120 = gain_120 + excluded.gain_120, before_7 = before_7 + excluded.before_7,
    before_30 = before_30 + excluded.before_30, before_120 = before_120 + excluded.before_120,
    posts_7 = posts_7 + excluded.posts_7, posts_30 = posts_30 + excluded.posts_30,
    posts_120 = posts_120 + excluded.posts_120
  RETURNING gain_7, gain_30, gain_120, before_7, before_30, before_120`;
const PUT_SUMS = `INSERT OR REPLACE INTO trend_sums (list, key, gain_7, gain_30, gain_120, before_7, before_30,
    before_120, posts_7, posts_30, posts_120)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const DROP_SUMS = "DELETE FROM trend_sums WHERE list = ? AND key = ?";
const ADD_DAY = `INSERT INTO trend_days (list, key, day, value_7, value_30, value_120) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (list, key, day) DO UPDATE SET value_7 = value_7 + excluded.value_7,
    value_30 = value_30 + excluded.value_30, value_120 = value_120 + excluded.value_120`;
const DROP_DAY = "DELETE FROM trend_days WHERE list = ? AND key = ? AND day = ? AND value_120 = 0";

const NONE: TrendSums = [0, 0, 0, 0, 0, 0, 0, 0, 0];

interface Change {
  sums: TrendSums;
  days: { day: number; values: PerPeriod }[];
}

export class TrendCounting {
  readonly #db: Database;
  readonly #ranks: TrendRanks;
  readonly #changes = new Map<string, Map<string, Change>>();
  #size = 0;

  constructor(db: Database, ranks: TrendRanks) {
    this.#db = db;
    this.#ranks = ranks;
  }

  begin(): void {
    this.#changes.clear();
    this.#size = 0;
  }

  /** What the sums hold of a post, and what they are to hold. To be called once for a post before `write`. */
  replace(platform: PlatformName, before: Share | null, after: Share | null): void {
    if (before !== null) this.#add(platform, before, -1);
    if (after !== null) this.#add(platform, after, 1);
    this.#replacePost(platform, before, after);
    if (this.#size >= CHANGES_AT_ONCE) this.write();
  }

  /** Hashtags and sounds are shared by posts: what changes of them is gathered first. */
  #add(platform: PlatformName, { country, keys, sums, days }: Share, sign: 1 | -1): void {
    for (const [kind, key] of keys) {
      for (const list of listsOf(platform, kind, country)) {
        const change = this.#change(list, key);
        for (let index = 0; index < sums.length; index++) {
          (change.sums[index] as number) += sign * (sums[index] as number);
        }
        for (const { day, values } of days) addDay(change, day, values, sign);
      }
    }
  }

  #replacePost(platform: PlatformName, before: Share | null, after: Share | null): void {
    const id = (before ?? after)?.id;
    if (id === undefined) return;
    const held = before === null ? [] : listsOf(platform, "post", before.country);
    const wanted = after === null ? [] : listsOf(platform, "post", after.country);
    for (const list of new Set([...held, ...wanted])) {
      const from = held.includes(list) ? (before as Share).sums : NONE;
      const to = wanted.includes(list) ? (after as Share).sums : NONE;
      const change = to.map((value, index) => value - (from[index] as number));
      if (change.every((value) => value === 0)) continue;
      if (to === NONE) this.#db.run(DROP_SUMS, list, id);
      else this.#db.run(PUT_SUMS, list, id, ...to);
      this.#ranks.move(list, id, change, to);
    }
  }

  #change(list: string, key: string): Change {
    let keys = this.#changes.get(list);
    if (keys === undefined) this.#changes.set(list, (keys = new Map()));
    let change = keys.get(key);
    if (change === undefined) {
      keys.set(key, (change = { sums: [0, 0, 0, 0, 0, 0, 0, 0, 0], days: [] }));
      this.#size++;
    }
    return change;
  }

  write(): void {
    for (const [list, keys] of this.#changes) {
      // Neighbours in the table are written after one another: that is half the work.
      for (const key of [...keys.keys()].toSorted()) {
        const { sums, days } = keys.get(key) as Change;
        if (sums.some((value) => value !== 0)) this.#writeSums(list, key, sums);
        for (const { day, values } of days) {
          if (values[0] === 0 && values[1] === 0 && values[2] === 0) continue;
          this.#db.run(ADD_DAY, list, key, day, values[0], values[1], values[2]);
          if (values[2] < 0) this.#db.run(DROP_DAY, list, key, day);
        }
      }
    }
    this.begin();
  }

  #writeSums(list: string, key: string, change: TrendSums): void {
    const [after] = this.#db.lists<number[]>(ADD_SUMS, list, key, ...change) as [number[]];
    // Longer periods hold all that shorter ones do.
    if (after[2] === 0 && after[5] === 0) this.#db.run(DROP_SUMS, list, key);
    this.#ranks.move(list, key, change, after);
  }
}

function listsOf(platform: PlatformName, kind: string, country: string | null): string[] {
  const all = trendList(platform, kind, null);
  return country === null ? [all] : [all, trendList(platform, kind, country)];
}

function addDay({ days }: Change, on: number, values: PerPeriod, sign: 1 | -1): void {
  let held = days.find(({ day }) => day === on);
  if (held === undefined) days.push((held = { day: on, values: [0, 0, 0] }));
  for (let index = 0; index < values.length; index++) {
    (held.values[index] as number) += sign * (values[index] as number);
  }
}
