/**
 * Adds shares of posts up and writes the sums: each entry that changed once, whatever number of posts changed it. A
 * ranking is an index of the sums. The arithmetic of a share is in `store/trends.ts`.
 */
import type { PlatformName } from "#domain/record.ts";
import { type PerPeriod, type Share, trendList, type TrendSums } from "../trends.ts";
import type { Sql } from "./sql.ts";
import { type Column, insert, type Table, upsert } from "./upsert.ts";

/** Changes that are held before they are written. */
const CHANGES_AT_ONCE = 60_000;

interface SumsRow {
  list: string;
  key: string;
  sums: TrendSums;
}

interface DayRow {
  list: string;
  key: string;
  day: number;
  values: PerPeriod;
}

const SUM_NAMES = ["gain", "before", "posts"].flatMap((name) => [`${name}_7`, `${name}_30`, `${name}_120`]);
const DAY_NAMES = ["value_7", "value_30", "value_120"];

const SUMS: Table<SumsRow> = {
  name: "trend_sums",
  key: ["list", "key"],
  columns: [
    { name: "list", type: "text", of: ({ list }) => list },
    { name: "key", type: "text", of: ({ key }) => key },
    ...SUM_NAMES.map((name, index): Column<SumsRow> => ({
      name,
      type: "bigint",
      of: ({ sums }) => sums[index] as number,
    })),
  ],
};

const DAYS: Table<DayRow> = {
  name: "trend_days",
  key: ["list", "key", "day"],
  columns: [
    { name: "list", type: "text", of: ({ list }) => list },
    { name: "key", type: "text", of: ({ key }) => key },
    { name: "day", type: "bigint", of: ({ day }) => day },
    ...DAY_NAMES.map((name, index): Column<DayRow> => ({
      name,
      type: "bigint",
      of: ({ values }) => values[index] as number,
    })),
  ],
};

/** New numbers are added to those that are held. */
function adding<Row>(table: Table<Row>, names: readonly string[]): Table<Row> {
  const sums = names.map((name) => [name, `${table.name}.${name} + excluded.${name}`]);
  return { ...table, replaced: Object.fromEntries(sums) as Record<string, string> };
}

const ADDED_SUMS = adding(SUMS, SUM_NAMES);
const ADDED_DAYS = adding(DAYS, DAY_NAMES);

interface Change {
  sums: TrendSums;
  days: Map<number, PerPeriod>;
}

export class TrendSumsUpkeep {
  readonly #sql: Sql;
  /** Of hashtags and sounds, which posts share: by list, then by key. */
  readonly #changes = new Map<string, Map<string, Change>>();
  /** Of posts: what they are to be; null for nothing. By list, then by id. */
  readonly #posts = new Map<string, Map<string, { sums: TrendSums | null; isHeld: boolean }>>();
  #size = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** What the sums hold of a post, and what they are to hold. To be called once for a post before `write`. */
  replace(platform: PlatformName, before: Share | null, after: Share | null): void {
    if (before !== null) this.#add(platform, before, -1);
    if (after !== null) this.#add(platform, after, 1);
    this.#replacePost(platform, before, after);
  }

  /** To be called between posts, some thousands at most: bounds memory, whatever a transaction does. */
  async writeIfMany(): Promise<void> {
    if (this.#size >= CHANGES_AT_ONCE) await this.write();
  }

  #add(platform: PlatformName, { country, keys, sums, days }: Share, sign: 1 | -1): void {
    for (const [kind, key] of keys) {
      for (const list of listsOf(platform, kind, country)) {
        const change = this.#change(list, key);
        addTo(change.sums, sums, sign);
        for (const { day, values } of days) {
          let held = change.days.get(day);
          if (held === undefined) change.days.set(day, (held = [0, 0, 0]));
          addTo(held, values, sign);
        }
      }
    }
  }

  #change(list: string, key: string): Change {
    const keys = within(this.#changes, list);
    let change = keys.get(key);
    if (change === undefined) {
      keys.set(key, (change = { sums: [0, 0, 0, 0, 0, 0, 0, 0, 0], days: new Map() }));
      this.#size++;
    }
    return change;
  }

  #replacePost(platform: PlatformName, before: Share | null, after: Share | null): void {
    const id = (before ?? after)?.id;
    if (id === undefined) return;
    const held = before === null ? [] : listsOf(platform, "post", before.country);
    const wanted = after === null ? [] : listsOf(platform, "post", after.country);
    for (const list of new Set([...held, ...wanted])) {
      const sums = wanted.includes(list) ? (after as Share).sums : null;
      if (held.includes(list) && sums !== null && isZero(difference(sums, (before as Share).sums))) continue;
      within(this.#posts, list).set(id, { sums, isHeld: held.includes(list) });
      this.#size++;
    }
  }

  async write(): Promise<void> {
    await Promise.all([this.#writePosts(), this.#writeShared()]);
    this.#changes.clear();
    this.#posts.clear();
    this.#size = 0;
  }

  async #writePosts(): Promise<void> {
    const added: SumsRow[] = [];
    const replaced: SumsRow[] = [];
    for (const [list, posts] of this.#posts) {
      const gone: string[] = [];
      for (const [key, { sums, isHeld }] of posts) {
        if (sums === null) gone.push(key);
        else (isHeld ? replaced : added).push({ list, key, sums });
      }
      if (gone.length > 0) await this.#sql.run("DELETE FROM trend_sums WHERE list = $1 AND key = ANY($2)", list, gone);
    }
    await Promise.all([insert(this.#sql, SUMS, added), upsert(this.#sql, SUMS, replaced)]);
  }

  async #writeShared(): Promise<void> {
    const sums: SumsRow[] = [];
    const days: DayRow[] = [];
    for (const [list, keys] of this.#changes) {
      for (const [key, change] of [...keys].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (!isZero(change.sums)) sums.push({ list, key, sums: change.sums });
        for (const [day, values] of change.days) if (!isZero(values)) days.push({ list, key, day, values });
      }
    }
    await Promise.all([upsert(this.#sql, ADDED_SUMS, sums), upsert(this.#sql, ADDED_DAYS, days)]);
    // Longer periods hold all that shorter ones do: where they are nothing, all is.
    const lessened = sums.filter((row) => row.sums.some((value) => value < 0));
    await this.#drop("trend_sums", "gain_120 = 0 AND before_120 = 0", lessened);
    await this.#drop(
      "trend_days",
      "value_120 = 0",
      days.filter(({ values }) => values[2] < 0),
    );
  }

  async #drop(table: string, nothing: string, rows: readonly { list: string; key: string }[]): Promise<void> {
    for (const [list, group] of Map.groupBy(rows, (row) => row.list)) {
      const keys = [...new Set(group.map(({ key }) => key))];
      await this.#sql.run(`DELETE FROM ${table} WHERE list = $1 AND key = ANY($2) AND ${nothing}`, list, keys);
    }
  }
}

function listsOf(platform: PlatformName, kind: string, country: string | null): string[] {
  const all = trendList(platform, kind, null);
  return country === null ? [all] : [all, trendList(platform, kind, country)];
}

function within<Value>(lists: Map<string, Map<string, Value>>, list: string): Map<string, Value> {
  let keys = lists.get(list);
  if (keys === undefined) lists.set(list, (keys = new Map()));
  return keys;
}

function addTo(sums: number[], more: readonly number[], sign: 1 | -1): void {
  for (let index = 0; index < sums.length; index++) (sums[index] as number) += sign * (more[index] as number);
}

function difference(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, index) => value - (other[index] as number));
}

function isZero(values: readonly number[]): boolean {
  return values.every((value) => value === 0);
}
