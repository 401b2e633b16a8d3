/**
 * The rankings themselves. `trend_sums` holds every entry's numbers, `trend_ranks` only the head of each ranking: all
 * entries from its floor up, one to two times as many as are ever shown. What stays below the floor costs a ranking
 * nothing, and that is most.
 */
import { depthOf, TREND_PERIODS, type TrendPeriod } from "../trends.ts";
import type { Database } from "./database.ts";

/** The columns of `trend_sums` that rank, in the order of `TrendSums`. */
const RANKING_COLUMNS = [
  ...TREND_PERIODS.map((period) => `gain_${period}`),
  ...TREND_PERIODS.map((period) => `before_${period}`),
];
const NAMES = [...TREND_PERIODS.map(String), ...TREND_PERIODS.map((period) => `-${period}`)];

const FILL = RANKING_COLUMNS.map((column) => ({
  floor: `SELECT ${column} AS value FROM trend_sums WHERE list = ? AND ${column} > 0 ORDER BY ${column} DESC LIMIT 1 OFFSET ?`,
  rows: `SELECT key, ${column} AS value FROM trend_sums WHERE list = ? AND ${column} >= ? AND ${column} < ?`,
}));
const ADD_RANK = "INSERT INTO trend_ranks (ranking, value, key) VALUES (?, ?, ?)";
const TAKE_RANK = "DELETE FROM trend_ranks WHERE ranking = ? AND value = ? AND key = ?";

/** The name of a ranking within its list: of a period, or of the period before it. */
export function rankingOf(list: string, period: TrendPeriod, which: "now" | "before"): string {
  return `${list}/${which === "now" ? "" : "-"}${period}`;
}

interface Head {
  ranking: string;
  list: string;
  column: number;
  /** The smallest value that is held; 1 when all are. */
  floor: number;
  entries: number;
  /** Entries that must be at hand. */
  depth: number;
  /** Beyond this it is cut. */
  most: number;
}

export class TrendRanks {
  readonly #db: Database;
  readonly #depthOf: (list: string) => number;
  readonly #heads = new Map<string, Head[]>();

  constructor(db: Database, depth = depthOf) {
    this.#db = db;
    this.#depthOf = depth;
  }

  /** Forgets what only held for the transaction before. */
  begin(): void {
    this.#heads.clear();
  }

  /** An entry's numbers changed by `change` and are `after` now. */
  move(list: string, key: string, change: readonly number[], after: readonly number[]): void {
    for (const head of this.#headsOf(list)) {
      const difference = change[head.column] as number;
      if (difference === 0) continue;
      const to = after[head.column] as number;
      const from = to - difference;
      if (from >= head.floor) {
        this.#db.run(TAKE_RANK, head.ranking, from, key);
        head.entries--;
      }
      if (to >= head.floor) {
        this.#db.run(ADD_RANK, head.ranking, to, key);
        head.entries++;
        if (head.entries > head.most) this.#cut(head);
      }
    }
  }

  /** To be called when all is moved that the transaction moves. */
  finish(): void {
    for (const heads of this.#heads.values()) {
      for (const head of heads) {
        if (head.entries < head.depth && head.floor > 1) this.#fill(head);
        this.#db.run(
          `INSERT INTO trend_heads (ranking, floor, entries) VALUES (?, ?, ?)
           ON CONFLICT (ranking) DO UPDATE SET floor = excluded.floor, entries = excluded.entries
           WHERE floor <> excluded.floor OR entries <> excluded.entries`,
          head.ranking,
          head.floor,
          head.entries,
        );
      }
    }
    this.#heads.clear();
  }

  #headsOf(list: string): Head[] {
    let heads = this.#heads.get(list);
    if (heads === undefined) {
      const depth = this.#depthOf(list);
      heads = RANKING_COLUMNS.map((_, column) => {
        const ranking = `${list}/${NAMES[column]}`;
        const held = this.#db.get<{ floor: number; entries: number }>(
          "SELECT floor, entries FROM trend_heads WHERE ranking = ?",
          ranking,
        );
        return { ranking, list, column, floor: held?.floor ?? 1, entries: held?.entries ?? 0, depth, most: 2 * depth };
      });
      this.#heads.set(list, heads);
    }
    return heads;
  }

  #cut(head: Head): void {
    const last = this.#db.get<{ value: number }>(
      "SELECT value FROM trend_ranks WHERE ranking = ? ORDER BY value DESC, key LIMIT 1 OFFSET ?",
      head.ranking,
      refilled(head) - 1,
    );
    if (last !== undefined && last.value > head.floor) {
      head.floor = last.value;
      const sql = "DELETE FROM trend_ranks WHERE ranking = ? AND value < ?";
      head.entries -= this.#db.run(sql, head.ranking, head.floor).changes;
    }
    // Equal values are cut together or not at all: what could not be cut now is not tried again with every entry.
    if (head.entries > head.most) head.most = 2 * head.entries;
  }

  #fill(head: Head): void {
    const { floor, rows } = FILL[head.column] as (typeof FILL)[number];
    const last = this.#db.get<{ value: number }>(floor, head.list, refilled(head) - 1);
    const before = head.floor;
    head.floor = last?.value ?? 1;
    for (const { key, value } of this.#db.all<{ key: string; value: number }>(rows, head.list, head.floor, before)) {
      this.#db.run(ADD_RANK, head.ranking, value, key);
      head.entries++;
    }
  }
}

/** How long a head is after it was cut or filled: far from both ends. */
function refilled({ depth }: Head): number {
  return Math.ceil(1.5 * depth);
}
