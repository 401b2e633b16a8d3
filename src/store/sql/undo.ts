/**
 * Takes out what a job brought. A record that only this job brought is deleted; one that it changed last gets back what
 * was stored before; one that other jobs touched later stays as it is, and those jobs inherit what was before. So undoing
 * jobs in any order ends at what was there before all of them. Docs: docs/undo.md. Retention restores in the same way what
 * was stored before a live source changed it.
 */
import type { ReportKind } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Expiry } from "#domain/retention.ts";
import { type Image, isUnchanged, liveJobId, omittedPoint, parseOmittedPoint } from "../job-touches.ts";
import type { UndoCounts, UndoPage, UndoPosition } from "../writer.ts";
import { COUNTER_POINTS, type CounterPointRow } from "./counter-points.ts";
import { formatPoints, JOB_RECORDS, type JobRecordRow, parsePoints, TOUCH_COLUMNS } from "./job-records.ts";
import type { RecordSteps } from "./record-steps.ts";
import { type SqlSteps, step, type Steps } from "./sql.ts";
import { listDue, removeTouched, restoreTouched } from "./undo-rows.ts";

/** Of touches: few enough that a transaction is short. */
const PAGE_SIZE = 200;

interface UndoRequest {
  jobId: string;
  after: UndoPosition | null;
  dryRun: boolean;
}

/** A page of the job's touches, in one transaction. */
export function undoPage(unit: RecordSteps, request: UndoRequest): Steps<UndoPage> {
  return undoTouches(unit, request, null);
}

interface RestoreRequest extends Pick<UndoRequest, "after" | "dryRun"> {
  source: string;
  expiries: readonly Expiry[];
}

/** A page of what a live source changed: of that, the rows that are due. */
export function restorePage(unit: RecordSteps, { source, expiries, ...page }: RestoreRequest): Steps<UndoPage> {
  return undoTouches(unit, { jobId: liveJobId(source), ...page }, { source, expiries });
}

interface Due {
  source: string;
  expiries: readonly Expiry[];
}

function* undoTouches(unit: RecordSteps, { jobId, after, dryRun }: UndoRequest, due: Due | null): Steps<UndoPage> {
  const { sql } = unit;
  const counts: UndoCounts = { removed: {}, restored: {}, kept: {}, keptFor: {}, points: 0 };
  const touches = yield* sql.all<JobRecordRow>(
    `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE job_id = $1 AND (platform, kind, key, number) > ($2, $3, $4, $5)
     ORDER BY platform, kind, key, number LIMIT $6`,
    jobId,
    after?.platform ?? "",
    after?.kind ?? "",
    after?.key ?? "",
    after?.number ?? 0,
    PAGE_SIZE,
  );
  for (const group of Map.groupBy(touches, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    const { platform, kind } = group[0] as JobRecordRow;
    const keys = [...new Set(group.map(({ key }) => key))];
    yield* undoGroup(unit, { jobId, platform, kind, keys, dryRun, due }, counts);
  }
  const last = touches.at(-1);
  if (last === undefined) return { counts, next: null };
  const { key, platform, kind, number } = last;
  return { counts, next: { key, platform, kind, number } };
}

interface Group extends Pick<UndoRequest, "jobId" | "dryRun"> {
  platform: PlatformName;
  kind: JobRecordRow["kind"];
  keys: string[];
  due: Due | null;
}

function* undoGroup(unit: RecordSteps, group: Group, counts: UndoCounts): Steps<void> {
  const { sql } = unit;
  const { jobId, platform, kind, due, dryRun } = group;
  const keys = due === null ? group.keys : yield* listDue(unit, platform, kind, group.keys, due);
  const rows = yield* sql.all<JobRecordRow>(
    `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE key = ANY($1) AND platform = $2 AND kind = $3 ORDER BY key, number`,
    keys,
    platform,
    kind,
  );
  const removed: string[] = [];
  const restored = new Map<string, string>();
  for (const [key, touches] of Map.groupBy(rows, (row) => row.key)) {
    // A due row has the capture of the live source, whatever was added to it since: that goes too.
    const chain = due === null ? touches : touches.slice(0, touches.findLastIndex((row) => row.job_id === jobId) + 1);
    const { outcome, left, isInherited } = planUndo(chain, jobId);
    let isKept = isInherited;
    if (outcome === null) removed.push(key);
    else {
      if (outcome !== undefined) restored.set(key, outcome);
      if (hasPoints(kind))
        isKept = (yield* undoPoints(unit, { jobId, platform, kind, key, dryRun }, chain, left, counts)) || isKept;
    }
    if (isKept) countKept(counts, kind, left);
    if (!dryRun) yield* rewriteChain(sql, touches, left);
  }
  add(counts.removed, kind, yield* removeTouched(unit, platform, kind, removed, dryRun));
  add(counts.restored, kind, yield* restoreTouched(unit, platform, kind, restored, dryRun));
}

interface Planned {
  job_id: string;
  image: Image;
}

interface Plan<Entry> {
  /** What the row becomes: null if it goes, undefined if it stays as it is. */
  outcome: Image | undefined;
  /** The touches of other jobs; some have inherited an image. */
  left: Entry[];
  /** Whether jobs that touched the row later inherit what was before the job. */
  isInherited: boolean;
}

export function planUndo<Entry extends Planned>(chain: readonly Entry[], jobId: string): Plan<Entry> {
  const left = chain.map((entry) => ({ ...entry }));
  let outcome: Image | undefined;
  while (left.at(-1)?.job_id === jobId) {
    const { image } = left.pop() as Entry;
    if (!isUnchanged(image)) outcome = image;
  }
  let isInherited = false;
  for (let index = left.length - 2; index >= 0; index--) {
    const { job_id, image } = left[index] as Entry;
    if (job_id !== jobId) continue;
    left.splice(index, 1);
    if (isUnchanged(image)) continue;
    (left[index] as Entry).image = image;
    isInherited = true;
  }
  return { outcome, left, isInherited };
}

function countKept(counts: UndoCounts, kind: ReportKind, left: readonly JobRecordRow[]): void {
  add(counts.kept, kind, 1);
  for (const jobId of new Set(left.map(({ job_id }) => job_id))) {
    counts.keptFor[jobId] = (counts.keptFor[jobId] ?? 0) + 1;
  }
}

function add(counts: Partial<Record<ReportKind, number>>, kind: ReportKind, by: number): void {
  if (by > 0) counts[kind] = (counts[kind] ?? 0) + by;
}

function* rewriteChain(sql: SqlSteps, chain: readonly JobRecordRow[], left: readonly JobRecordRow[]): Steps<void> {
  const { key, platform, kind } = chain[0] as JobRecordRow;
  const numbers = new Set(left.map(({ number }) => number));
  yield* sql.run(
    "DELETE FROM job_records WHERE key = $1 AND platform = $2 AND kind = $3 AND number = ANY($4)",
    key,
    platform,
    kind,
    chain.flatMap(({ number }) => (numbers.has(number) ? [] : number)),
  );
  const before = new Map(chain.map((row) => [row.number, row]));
  const changed = left.filter(({ number, image, points }) => {
    const row = before.get(number);
    return row?.image !== image || row?.points !== points;
  });
  yield* sql.upsert(JOB_RECORDS, changed);
}

function hasPoints(kind: JobRecordRow["kind"]): kind is Exclude<RecordKind, "comment"> {
  return ["account", "post", "sound", "hashtag", "place"].includes(kind);
}

interface Target extends Pick<UndoRequest, "jobId" | "dryRun"> {
  platform: PlatformName;
  kind: Exclude<RecordKind, "comment">;
  key: string;
}

/**
 * Points of the job go, and points that other jobs did not add only because of them are added. Returns whether a point
 * stays because a later job captured the same instant.
 */
function* undoPoints(
  unit: RecordSteps,
  { jobId, platform, kind, key: id, dryRun }: Target,
  chain: readonly JobRecordRow[],
  left: JobRecordRow[],
  counts: UndoCounts,
): Steps<boolean> {
  const { sql } = unit;
  const isCreator = chain[0]?.image === null && chain[0].job_id === jobId;
  if (!isCreator && chain.every(({ job_id, points }) => job_id !== jobId || points === null)) return false;
  const stored = yield* sql.all<Pick<CounterPointRow, "captured_at" | "counters">>(
    `SELECT captured_at, counters FROM counter_points WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at`,
    id,
    platform,
    kind,
  );
  const before = new Map(stored.map(({ captured_at, counters }) => [captured_at, counters]));
  const { after, isInherited } = planPoints({ chain, left, jobId, isCreator }, before);
  const gone = [...before.keys()].filter((time) => !after.has(time));
  const written = [...after].filter(([time, counters]) => before.get(time) !== counters);
  counts.points += gone.length;
  if (dryRun || (gone.length === 0 && written.length === 0)) return isInherited;
  yield* sql.run(
    "DELETE FROM counter_points WHERE id = $1 AND platform = $2 AND kind = $3 AND captured_at = ANY($4)",
    id,
    platform,
    kind,
    gone,
  );
  yield* sql.upsert(
    COUNTER_POINTS,
    written.map(([captured_at, counters]) => ({ id, platform, kind, captured_at, counters })),
  );
  if (kind === "post") yield* step(unit.markTrendsStale());
  return isInherited;
}

interface PointChains {
  chain: readonly JobRecordRow[];
  left: JobRecordRow[];
  jobId: string;
  isCreator: boolean;
}

/** The counters by capture time that remain. Changes the points of the touches that are left. */
function planPoints(
  { chain, left, jobId, isCreator }: PointChains,
  before: ReadonlyMap<number, string>,
): { after: Map<number, string>; isInherited: boolean } {
  const pointsOf = new Map(chain.map(({ number, points }) => [number, parsePoints(points)]));
  const after = new Map(before);
  let isInherited = false;
  const times = [...pointsOf.values()].flatMap((points) => [...points.keys()]);
  for (const time of new Set([...times, ...before.keys()])) {
    const entries = chain.flatMap(({ number, job_id }) => {
      const image = pointsOf.get(number)?.get(time);
      return image === undefined ? [] : [{ number, job_id, image }];
    });
    // A point that no touch is known to have added came with the record.
    if (isCreator && before.has(time) && entries.every(({ image }) => image !== null)) {
      entries.unshift({ number: chain[0]?.number ?? 0, job_id: jobId, image: null });
    }
    const { outcome, left: others, isInherited: isTimeInherited } = planUndo(entries, jobId);
    isInherited ||= isTimeInherited;
    if (outcome === null) after.delete(time);
    else if (outcome !== undefined) after.set(time, outcome);
    for (const { number, image } of others) pointsOf.get(number)?.set(time, image);
  }
  // Nothing was omitted because of a point that came later.
  const first = chain.find(({ job_id }) => job_id === jobId)?.number ?? Infinity;
  const later = left.filter(({ number }) => number > first);
  addOmitted(
    later.map(({ number }) => pointsOf.get(number) as Map<number, Image>),
    before,
    after,
  );
  for (const row of left) row.points = formatPoints(pointsOf.get(row.number) as Map<number, Image>);
  return { after, isInherited };
}

/** Adds points that were omitted since the point before them, which is gone now, had the same counters. */
function addOmitted(
  touches: readonly Map<number, Image>[],
  before: ReadonlyMap<number, string>,
  after: Map<number, string>,
): void {
  const omitted = touches.flatMap((points) =>
    [...points].flatMap(([time, image]) => {
      const point = parseOmittedPoint(image);
      return point === null ? [] : [{ points, time, ...point }];
    }),
  );
  for (const { points, time, before: equalAt, counters } of omitted.toSorted((a, b) => a.time - b.time)) {
    if (before.get(equalAt) !== counters || after.get(equalAt) === counters) continue;
    const latest = latestAt(after, time);
    if (after.get(latest) === counters) points.set(time, omittedPoint(latest, counters));
    else {
      after.set(time, counters);
      points.set(time, null);
    }
  }
}

function latestAt(points: ReadonlyMap<number, string>, time: number): number {
  let latest = -1;
  for (const at of points.keys()) if (at <= time && at > latest) latest = at;
  return latest;
}
