/** The counter history of one batch: one point per distinct set of captured counters. */
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import { columnNames } from "../sql/table.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { asStored } from "./storable-text.ts";
import { COUNTER_POINTS, type CounterPointRow } from "./tables.ts";
import { upsert } from "./upsert.ts";

export interface PointKey {
  kind: RecordKind;
  id: string;
  capturedAt: number;
}

const COLUMNS = columnNames(COUNTER_POINTS).join(", ");

export class CounterHistory {
  /** Points per record, oldest first: all of them, or only the latest if no earlier one is needed. */
  readonly #histories = new RowCache<CounterPointRow[]>();
  readonly #added = new RowCache<CounterPointRow>();

  /** Loads what is needed to add points at these times. */
  async load(sql: Sql, platform: PlatformName, points: readonly PointKey[]): Promise<void> {
    if (points.length === 0) return;
    const latest = await sql.all<CounterPointRow>(
      `SELECT DISTINCT ON (id, platform, kind) ${COLUMNS} FROM counter_points
       WHERE id = ANY($1) AND platform = $2 AND captured_at <= $3 ORDER BY id, platform, kind, captured_at DESC`,
      [...new Set(points.map(({ id }) => id))],
      platform,
      points.reduce((last, { capturedAt }) => Math.max(last, capturedAt), 0),
    );
    const latestAt = new Map(latest.map((row) => [`${row.kind} ${row.id}`, row.captured_at]));
    for (const row of latest) this.#cache([row]);
    // A capture older than the latest point needs the whole history.
    const late = points.filter(
      ({ kind, id, capturedAt }) => (latestAt.get(`${kind} ${asStored(id)}`) ?? 0) > capturedAt,
    );
    if (late.length > 0) await this.#loadAll(sql, platform, [...new Set(late.map(({ id }) => id))]);
  }

  async #loadAll(sql: Sql, platform: PlatformName, ids: string[]): Promise<void> {
    const rows = await sql.all<CounterPointRow>(
      `SELECT ${COLUMNS} FROM counter_points WHERE id = ANY($1) AND platform = $2 ORDER BY id, kind, captured_at`,
      ids,
      platform,
    );
    const histories = Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`);
    for (const history of histories.values()) this.#cache(history);
  }

  /** Adds to the cached points: a batch may load a record more than once, for different times. */
  #cache(rows: readonly CounterPointRow[]): void {
    const key = historyKey(rows[0] as CounterPointRow);
    const cached = this.#histories.get(key) ?? [];
    const times = new Set(cached.map(({ captured_at }) => captured_at));
    const more = rows.filter(({ captured_at }) => !times.has(captured_at));
    this.#histories.load(
      key,
      [...cached, ...more].toSorted((a, b) => a.captured_at - b.captured_at),
    );
  }

  /** Adds a point unless its counters equal those of the point before it. */
  put(platform: PlatformName, kind: RecordKind, id: string, point: CounterPoint): void {
    const counters = JSON.stringify(point.counters);
    if (counters === "{}") return;
    const key = historyKey({ platform, kind, id });
    const history = this.#histories.get(key) ?? [];
    const after = history.findIndex(({ captured_at }) => captured_at > point.capturedAt);
    const index = after === -1 ? history.length : after;
    const before = history[index - 1];
    if (before?.counters === counters) return;
    const row = { id, platform, kind, captured_at: point.capturedAt, counters };
    const sameTime = before?.captured_at === point.capturedAt;
    this.#histories.load(key, history.toSpliced(sameTime ? index - 1 : index, sameTime ? 1 : 0, row));
    this.#added.put([platform, kind, String(point.capturedAt), id], row);
  }

  /** Whether the batch added to the history of any post. */
  hasChangedPosts(): boolean {
    return this.#added.changed().some(({ kind }) => kind === "post");
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, COUNTER_POINTS, this.#added.takeChanged());
  }
}

function historyKey({ platform, kind, id }: Pick<CounterPointRow, "platform" | "kind" | "id">): string[] {
  return [platform, kind, id];
}
