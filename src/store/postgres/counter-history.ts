/** The counters that captures showed, for one batch: a point for each distinct set of them. */
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { asHeld } from "./storable-text.ts";
import { type Table, upsert } from "./upsert.ts";

export interface PointOf {
  kind: RecordKind;
  id: string;
  capturedAt: number;
}

interface PointRow {
  id: string;
  platform: PlatformName;
  kind: RecordKind;
  captured_at: number;
  counters: string;
}

const TABLE: Table<PointRow> = {
  name: "counter_points",
  key: ["id", "platform", "kind", "captured_at"],
  columns: [
    { name: "id", type: "text", of: (row) => row.id },
    { name: "platform", type: "text", of: (row) => row.platform },
    { name: "kind", type: "text", of: (row) => row.kind },
    { name: "captured_at", type: "bigint", of: (row) => row.captured_at },
    { name: "counters", type: "json", of: (row) => row.counters },
  ],
};

const COLUMNS = "id, platform, kind, captured_at, counters";

export class CounterHistory {
  /** Of each record its points, oldest first: all of them, or the last one where nothing earlier is asked for. */
  readonly #histories = new RowCache<PointRow[]>();
  readonly #added = new RowCache<PointRow>();

  /** Reads what must be known to add points at these times. */
  async load(sql: Sql, platform: PlatformName, points: readonly PointOf[]): Promise<void> {
    if (points.length === 0) return;
    const latest = await sql.all<PointRow>(
      `SELECT DISTINCT ON (id, platform, kind) ${COLUMNS} FROM counter_points
       WHERE id = ANY($1) AND platform = $2 AND captured_at <= $3 ORDER BY id, platform, kind, captured_at DESC`,
      [...new Set(points.map(({ id }) => id))],
      platform,
      points.reduce((last, { capturedAt }) => Math.max(last, capturedAt), 0),
    );
    const lastOf = new Map(latest.map((row) => [`${row.kind} ${row.id}`, row.captured_at]));
    for (const row of latest) this.#remember([row]);
    // A capture that is older than the last one known needs the points between.
    const late = points.filter(({ kind, id, capturedAt }) => (lastOf.get(`${kind} ${asHeld(id)}`) ?? 0) > capturedAt);
    if (late.length > 0) await this.#loadAll(sql, platform, [...new Set(late.map(({ id }) => id))]);
  }

  async #loadAll(sql: Sql, platform: PlatformName, ids: string[]): Promise<void> {
    const rows = await sql.all<PointRow>(
      `SELECT ${COLUMNS} FROM counter_points WHERE id = ANY($1) AND platform = $2 ORDER BY id, kind, captured_at`,
      ids,
      platform,
    );
    const histories = Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`);
    for (const history of histories.values()) this.#remember(history);
  }

  /** Beside what is known already: a batch may ask for one record more than once, and for other times of it. */
  #remember(rows: readonly PointRow[]): void {
    const key = historyKey(rows[0] as PointRow);
    const known = this.#histories.get(key) ?? [];
    const times = new Set(known.map(({ captured_at }) => captured_at));
    const more = rows.filter(({ captured_at }) => !times.has(captured_at));
    this.#histories.load(
      key,
      [...known, ...more].toSorted((a, b) => a.captured_at - b.captured_at),
    );
  }

  /** Adds a point, unless the counters known just before it were the same. */
  put(platform: PlatformName, kind: RecordKind, id: string, point: CounterPoint): void {
    const counters = JSON.stringify(point.counters);
    if (counters === "{}") return;
    const key = historyKey({ platform, kind, id });
    const history = this.#histories.get(key) ?? [];
    const after = history.findIndex(({ captured_at }) => captured_at > point.capturedAt);
    const place = after === -1 ? history.length : after;
    const before = history[place - 1];
    if (before?.counters === counters) return;
    const row = { id, platform, kind, captured_at: point.capturedAt, counters };
    const sameTime = before?.captured_at === point.capturedAt;
    this.#histories.load(key, history.toSpliced(sameTime ? place - 1 : place, sameTime ? 1 : 0, row));
    this.#added.put([platform, kind, String(point.capturedAt), id], row);
  }

  /** The posts to whose history the batch added so far. */
  changedPosts(): { platform: PlatformName; id: string }[] {
    return this.#added.changed().filter(({ kind }) => kind === "post");
  }

  flush(sql: Sql): Promise<void> {
    return upsert(sql, TABLE, this.#added.takeChanged());
  }
}

function historyKey({ platform, kind, id }: Pick<PointRow, "platform" | "kind" | "id">): string[] {
  return [platform, kind, id];
}
