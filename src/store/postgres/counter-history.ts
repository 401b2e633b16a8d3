/** The counter history of one batch: one point per distinct set of captured counters. */
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import { addPointImage, type Image, type JobTouches } from "../job-touches.ts";
import { addPoint, COUNTER_POINTS, type CounterPointRow } from "../sql/counter-points.ts";
import { columnNames } from "../sql/table.ts";
import type { Sql } from "./sql.ts";
import { RowMap } from "./row-map.ts";
import { asStored } from "./storable-text.ts";
import { upsert } from "./upsert.ts";

export interface HistoryKey {
  platform: PlatformName;
  kind: RecordKind;
  id: string;
}

export interface PointKey extends HistoryKey {
  capturedAt: number;
}

interface History extends HistoryKey {
  /** Oldest first: all stored and added points, or of the stored ones only the latest if no earlier one is needed. */
  points: CounterPointRow[];
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
  readonly #all: History[] = [];

  /** Loads what is needed to add points at these times. */
  async load(sql: Sql, points: readonly PointKey[]): Promise<void> {
    for (const [platform, group] of Map.groupBy(points, (point) => point.platform)) {
      const latest = await sql.all<CounterPointRow>(
        `SELECT DISTINCT ON (id, platform, kind) ${COLUMNS} FROM counter_points
         WHERE id = ANY($1) AND platform = $2 AND captured_at <= $3 ORDER BY id, platform, kind, captured_at DESC`,
        [...new Set(group.map(({ id }) => id))],
        platform,
        group.reduce((last, { capturedAt }) => Math.max(last, capturedAt), 0),
      );
      const latestAt = new Map(latest.map((row) => [`${row.kind} ${row.id}`, row.captured_at]));
      for (const row of latest) this.#historyOf(row).points = [row];
      // A capture older than the latest point needs the whole history.
      const late = group.filter(
        ({ kind, id, capturedAt }) => (latestAt.get(`${kind} ${asStored(id)}`) ?? 0) > capturedAt,
      );
      await this.#loadAll(sql, late);
    }
  }

  async #loadAll(sql: Sql, keys: readonly HistoryKey[]): Promise<void> {
    for (const [platform, group] of Map.groupBy(keys, (key) => key.platform)) {
      const rows = await sql.all<CounterPointRow>(
        `SELECT ${COLUMNS} FROM counter_points WHERE id = ANY($1) AND platform = $2 ORDER BY id, kind, captured_at`,
        [...new Set(group.map(({ id }) => id))],
        platform,
      );
      for (const points of Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`).values()) {
        this.#historyOf(points[0] as CounterPointRow).points = points;
      }
    }
  }

  #historyOf({ platform, kind, id }: HistoryKey): History {
    const key = [platform, kind, id];
    let history = this.#histories.get(key);
    if (history === undefined) {
      history = { platform, kind, id, points: [], captured: [], added: new Map(), images: new Map() };
      this.#histories.set(key, history);
      this.#all.push(history);
    }
    return history;
  }

  /** Adds a point unless its counters equal those of the point before it. */
  put(key: HistoryKey, point: CounterPoint): void {
    if (JSON.stringify(point.counters) === "{}") return;
    const history = this.#historyOf(key);
    history.captured.push(point);
    addToHistory(history, point);
  }

  /** Reads the histories of records that another writer changed, and adds the points again. */
  async reload(sql: Sql, keys: readonly HistoryKey[]): Promise<void> {
    const changed = keys.map((key) => this.#historyOf(key)).filter(({ captured }) => captured.length > 0);
    for (const history of changed) {
      history.points = [];
      history.added.clear();
      history.images.clear();
    }
    await this.#loadAll(sql, changed);
    for (const history of changed) for (const point of history.captured) addToHistory(history, point);
  }

  /** The records whose history grows. */
  changed(): HistoryKey[] {
    return this.#all.filter(({ added }) => added.size > 0);
  }

  touchInto(touches: JobTouches): void {
    for (const { platform, kind, id, images } of this.#all) {
      for (const [capturedAt, image] of images) touches.addPoint(platform, kind, id, capturedAt, image);
    }
  }

  /** Writes the added points of these records. */
  async flush(sql: Sql, isPart: (record: HistoryKey) => boolean): Promise<void> {
    const part = this.#all.filter((history) => history.added.size > 0 && isPart(history));
    const rows = part.flatMap(({ added }) => [...added.values()]);
    for (const { added } of part) added.clear();
    await upsert(sql, COUNTER_POINTS, rows);
  }
}

function addToHistory(history: History, point: CounterPoint): void {
  const { capturedAt } = point;
  const { platform, kind, id, points, added, images } = history;
  const after = points.findIndex(({ captured_at }) => captured_at > capturedAt);
  const index = after === -1 ? points.length : after;
  const latest = points[index - 1];
  const isSameTime = latest?.captured_at === capturedAt;
  const { image, counters } = addPoint(platform, latest, point);
  addPointImage(images, capturedAt, image);
  if (counters === null) return;
  const row = { id, platform, kind, captured_at: capturedAt, counters };
  history.points = points.toSpliced(isSameTime ? index - 1 : index, isSameTime ? 1 : 0, row);
  added.set(capturedAt, row);
}
