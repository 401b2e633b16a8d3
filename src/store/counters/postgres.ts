/** The counter history of one batch: a point per capture. */
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import { addPointImage, type Image, type JobTouches } from "#store/undo/port.ts";
import { addPoint } from "./statements.ts";
import { COUNTER_POINTS, type CounterPointRow } from "./tables.ts";
import type { RecordHistory } from "#store/write/port.ts";
import { columnNames } from "#store/sql/table.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { RowMap } from "#store/postgres/row-map.ts";
import { upsert } from "#store/postgres/upsert.ts";

interface HistoryKey {
  platform: PlatformName;
  kind: RecordKind;
  id: string;
}

interface PointKey extends HistoryKey {
  capturedAt: number;
}

interface History extends HistoryKey {
  /** JSON by capture time: what is stored at the times of the batch, at least, and what was added. */
  counters: Map<number, string>;
  /** In the order they came, to be added again if another writer changed the history. */
  captured: CounterPoint[];
  /** By capture time. */
  added: Map<number, CounterPointRow>;
  /** What was stored at the time of each captured point. */
  images: Map<number, Image>;
}

const COLUMNS = columnNames(COUNTER_POINTS).join(", ");

export class CounterHistory {
  readonly #histories = new RowMap<History>();
  readonly #expected: PointKey[] = [];

  expect(platform: PlatformName, { kind, id, points }: RecordHistory): void {
    for (const { capturedAt } of points) this.#expected.push({ platform, kind, id, capturedAt });
  }

  load(sql: Sql): Promise<void> {
    return this.#load(sql, this.#expected.splice(0));
  }

  /** Loads what is stored of these records from the first to the last of these times. */
  async #load(sql: Sql, points: readonly PointKey[]): Promise<void> {
    for (const [platform, group] of Map.groupBy(points, (point) => point.platform)) {
      const times = group.map(({ capturedAt }) => capturedAt);
      const rows = await sql.all<CounterPointRow>(
        `SELECT ${COLUMNS} FROM counter_points WHERE id = ANY($1) AND platform = $2 AND captured_at BETWEEN $3 AND $4`,
        [...new Set(group.map(({ id }) => id))],
        platform,
        times.reduce((first, time) => Math.min(first, time)),
        times.reduce((last, time) => Math.max(last, time)),
      );
      for (const row of rows) this.#historyOf(row).counters.set(row.captured_at, row.counters);
    }
  }

  #historyOf({ platform, kind, id }: HistoryKey): History {
    const key = [platform, kind, id];
    let history = this.#histories.get(key);
    if (history === undefined) {
      history = { platform, kind, id, counters: new Map(), captured: [], added: new Map(), images: new Map() };
      this.#histories.set(key, history);
    }
    return history;
  }

  put(platform: PlatformName, { kind, id, points }: RecordHistory): void {
    for (const point of points) {
      if (JSON.stringify(point.counters) === "{}") continue;
      const history = this.#historyOf({ platform, kind, id });
      history.captured.push(point);
      addToHistory(history, point);
    }
  }

  /** Reads the histories of records that another writer changed, and adds the points again. */
  async reload(sql: Sql, keys: readonly HistoryKey[]): Promise<void> {
    const changed = keys.map((key) => this.#historyOf(key)).filter(({ captured }) => captured.length > 0);
    for (const { counters, added, images } of changed) for (const times of [counters, added, images]) times.clear();
    await this.#load(
      sql,
      changed.flatMap(({ captured, ...key }) => captured.map(({ capturedAt }) => ({ ...key, capturedAt }))),
    );
    for (const history of changed) for (const point of history.captured) addToHistory(history, point);
  }

  /** The records whose history grows. */
  changed(): HistoryKey[] {
    return this.#histories.values().filter(({ added }) => added.size > 0);
  }

  touchInto(touches: JobTouches): void {
    for (const { platform, kind, id, images } of this.#histories.values()) {
      for (const [capturedAt, image] of images) touches.addPoint(platform, kind, id, capturedAt, image);
    }
  }

  /** Writes the added points of these records. */
  async flush(sql: Sql, isPart: (record: HistoryKey) => boolean): Promise<void> {
    const part = this.#histories.values().filter((history) => history.added.size > 0 && isPart(history));
    const rows = part.flatMap(({ added }) => [...added.values()]);
    for (const { added } of part) added.clear();
    await upsert(sql, COUNTER_POINTS, rows);
  }
}

function addToHistory({ platform, kind, id, counters: stored, added, images }: History, point: CounterPoint): void {
  const { capturedAt } = point;
  const { image, counters } = addPoint(platform, stored.get(capturedAt), point);
  addPointImage(images, capturedAt, image);
  if (counters === null) return;
  stored.set(capturedAt, counters);
  added.set(capturedAt, { id, platform, kind, captured_at: capturedAt, counters });
}
