/**
 * Undoes a job by the undo log. A record that only this job wrote is deleted; one that it changed last gets its before-image
 * back; one that other jobs touched later stays as it is, and those jobs inherit the before-image. So undoing jobs in any
 * order ends at what was stored before all of them. Docs: docs/undo.md. Records that a live source fetched go back to their
 * imported state when they are due.
 */
import { present } from "#domain/present.ts";
import type { ReportKind } from "#domain/job.ts";
import { type Expiry, isExpired, isForSource } from "#domain/retention.ts";
import { type Image, isLive, isUnchanged, liveJobId, liveSourceOf } from "./port.ts";
import type { NonCommentKind } from "#store/write/record-row.ts";
import type { UndoCounts, UndoPage, UndoPosition } from "#store/write/port.ts";
import { readPoints } from "#store/counters/port.ts";
import { COUNTER_POINTS } from "#store/counters/tables.ts";
import { formatPoints, hasAllPoints, imageOfLive, importedChain, parsePoints } from "./statements.ts";
import { JOB_RECORDS, type JobRecordRow, TOUCH_COLUMNS } from "./tables.ts";
import { markDeleted } from "#store/erasure/port.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import { type SqlSteps, step, type Steps } from "#store/sql/sql.ts";
import { listDueKeys, removeTouched, restoreTouched } from "./rows.ts";

/** Of touches: few enough that a transaction is short. */
const PAGE_SIZE = 200;

interface UndoPageRequest {
  jobId: string;
  after: UndoPosition | null;
  dryRun: boolean;
}

/** A page of the job's touches, in one transaction. */
export function undoPage(unit: RecordSteps, request: UndoPageRequest): Steps<UndoPage> {
  const { jobId, dryRun } = request;
  return eachGroup(unit, request, "number > 0", (group, counts) =>
    undoGroup(unit, { ...group, jobId, dryRun }, counts),
  );
}

interface RestoreRequest extends Pick<UndoPageRequest, "after" | "dryRun"> {
  source: string;
  expiries: readonly Expiry[];
}

/** A page of what a live source changed: of that, the rows that are due and are not due without the source. */
export function restorePage(unit: RecordSteps, request: RestoreRequest): Steps<UndoPage> {
  const page = { ...request, jobId: liveJobId(request.source) };
  return eachGroup(unit, page, "image IS NOT NULL", (group, counts) =>
    restoreGroup(unit, { ...group, ...request }, counts),
  );
}

type Position = Pick<JobRecordRow, "platform" | "kind" | "key" | "number">;

interface Group extends Pick<Position, "platform" | "kind"> {
  keys: string[];
}

function* eachGroup(
  { sql }: RecordSteps,
  { jobId, after, dryRun }: UndoPageRequest,
  condition: string,
  work: (group: Group, counts: UndoCounts) => Steps<void>,
): Steps<UndoPage> {
  const counts: UndoCounts = { removed: {}, restored: {}, kept: {}, keptFor: {}, points: 0 };
  const touches = yield* sql.all<Position>(
    `SELECT platform, kind, key, number FROM job_records
     WHERE job_id = $1 AND (platform, kind, key, number) > ($2, $3, $4, $5) AND ${condition}
     ORDER BY platform, kind, key, number LIMIT $6`,
    jobId,
    after?.platform ?? "",
    after?.kind ?? "",
    after?.key ?? "",
    after?.number ?? 0,
    PAGE_SIZE,
  );
  for (const group of Map.groupBy(touches, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    const { platform, kind } = present(group[0]);
    yield* work({ platform, kind, keys: [...new Set(group.map(({ key }) => key))] }, counts);
  }
  const changed = [...Object.values(counts.removed), ...Object.values(counts.restored), counts.points];
  if (!dryRun && changed.some((count) => count > 0)) yield* markDeleted(sql);
  const last = touches.at(-1);
  return { counts, next: last === undefined ? null : { ...last } };
}

/** All touches of each record, in their order. */
function* readTouches({ sql }: RecordSteps, { platform, kind, keys }: Group): Steps<Map<string, JobRecordRow[]>> {
  const rows = yield* sql.all<JobRecordRow>(
    `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE key = ANY($1) AND platform = $2 AND kind = $3 ORDER BY key, number`,
    keys,
    platform,
    kind,
  );
  return Map.groupBy(rows, (row) => row.key);
}

function* undoGroup(
  unit: RecordSteps,
  { jobId, dryRun, ...group }: Group & Pick<UndoPageRequest, "jobId" | "dryRun">,
  counts: UndoCounts,
): Steps<void> {
  const { platform, kind } = group;
  const undone = new Set([jobId]);
  const removed: string[] = [];
  const restored = new Map<string, string>();
  for (const [key, touches] of yield* readTouches(unit, group)) {
    const chain = touches.filter(({ number }) => number > 0);
    const { outcome, left, isInherited } = planUndo(chain, undone);
    const imported = planUndo(importedChain(touches), undone);
    for (const row of left.filter(isLive)) {
      row.image = imported.outcome === undefined ? (imageOfLive(chain) ?? null) : imported.outcome;
    }
    // A live source that changed the row later keeps what the job brought in it.
    let isKept = isInherited || imported.isInherited || (outcome === undefined && imported.outcome !== undefined);
    if (outcome === null) removed.push(key);
    else {
      if (outcome !== undefined) restored.set(key, outcome);
      isKept = (yield* undoPoints(unit, { chain, left, undone, dryRun }, counts)) || isKept;
    }
    if (isKept) countKept(counts, kind, left);
    const before = imported.left.map((row) => ({ ...row, number: -row.number, points: null }));
    const noted = new Set(touches.map(({ number }) => number));
    if (!dryRun) yield* rewriteChain(unit.sql, touches, [...left, ...before.filter((row) => noted.has(row.number))]);
  }
  add(counts.removed, kind, yield* removeTouched(unit, platform, kind, removed, dryRun));
  add(counts.restored, kind, yield* restoreTouched(unit, platform, kind, restored, dryRun));
}

function* restoreGroup(
  unit: RecordSteps,
  { source, expiries, dryRun, ...group }: Group & Omit<RestoreRequest, "after">,
  counts: UndoCounts,
): Steps<void> {
  const { platform, kind } = group;
  const keys = yield* listDueKeys(unit, platform, kind, group.keys, { source, expiries });
  // The answers of all live sources go, so that the observations of those that have a term are not kept longer.
  const hasTerm = (row: JobRecordRow) =>
    expiries.some((expiry) => expiry.kind === kind && isForSource(expiry, liveSourceOf(row)));
  const restored = new Map<string, string>();
  for (const [key, touches] of yield* readTouches(unit, { ...group, keys })) {
    const chain = touches.filter(({ number }) => number > 0);
    const image = imageOfLive(chain) ?? null;
    if (image === null || isDue(kind, image, expiries)) continue;
    restored.set(key, image);
    const undone = new Set(chain.flatMap((row) => (isLive(row) && hasTerm(row) ? row.job_id : [])));
    // Of no live source: their touches would keep what an undone import brought.
    const left = importedChain(touches);
    yield* undoPoints(unit, { chain, left, undone, dryRun }, counts);
    if (!dryRun) yield* rewriteChain(unit.sql, touches, left);
  }
  add(counts.restored, kind, yield* restoreTouched(unit, platform, kind, restored, dryRun));
}

function isDue(kind: ReportKind, image: string, expiries: readonly Expiry[]): boolean {
  const { source, captured_at } = JSON.parse(image) as { source: string; captured_at: number };
  return isExpired(expiries, kind, source, captured_at);
}

interface Planned {
  job_id: string;
  image: Image;
}

interface UndoPlan<Entry> {
  /** What the row becomes: null if it goes, undefined if it stays as it is. */
  outcome: Image | undefined;
  /** The touches of other jobs; some have inherited an image. */
  left: Entry[];
  /** Whether jobs that touched the row later inherit what was before the job. */
  isInherited: boolean;
}

function planUndo<Entry extends Planned>(chain: readonly Entry[], undone: ReadonlySet<string>): UndoPlan<Entry> {
  const left = chain.map((entry) => ({ ...entry }));
  let outcome: Image | undefined;
  while (undone.has(left.at(-1)?.job_id ?? "")) {
    const { image } = present(left.pop());
    if (!isUnchanged(image)) outcome = image;
  }
  let isInherited = false;
  for (let index = left.length - 2; index >= 0; index--) {
    const { job_id, image } = present(left[index]);
    if (!undone.has(job_id)) continue;
    left.splice(index, 1);
    if (isUnchanged(image)) continue;
    present(left[index]).image = image;
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
  const { key, platform, kind } = present(chain[0]);
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

function hasPoints(kind: JobRecordRow["kind"]): kind is NonCommentKind {
  return ["account", "post", "sound", "hashtag", "place"].includes(kind);
}

interface PointChains extends Pick<UndoPageRequest, "dryRun"> {
  chain: readonly JobRecordRow[];
  left: JobRecordRow[];
  undone: ReadonlySet<string>;
}

/** Points of the jobs go. Returns whether a point stays because a later job captured the same instant. */
function* undoPoints(unit: RecordSteps, chains: PointChains, counts: UndoCounts): Steps<boolean> {
  const { sql } = unit;
  const { chain, undone, dryRun } = chains;
  const first = present(chain[0]);
  const { platform, kind, key: id } = first;
  if (!hasPoints(kind)) return false;
  const isCreator = hasAllPoints(first) && undone.has(first.job_id);
  if (!isCreator && chain.every(({ job_id, points }) => !undone.has(job_id) || points === null)) return false;
  const before = yield* readPoints(sql, { platform, kind, id });
  const { after, isInherited } = planPoints(chains, isCreator, before);
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

/** The counters by capture time that remain. Changes the points of the touches that are left. */
function planPoints(
  { chain, left, undone }: PointChains,
  isCreator: boolean,
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
      const { number, job_id } = present(chain[0]);
      entries.unshift({ number, job_id, image: null });
    }
    const { outcome, left: others, isInherited: isTimeInherited } = planUndo(entries, undone);
    isInherited ||= isTimeInherited;
    if (outcome === null) after.delete(time);
    else if (outcome !== undefined) after.set(time, outcome);
    for (const { number, image } of others) pointsOf.get(number)?.set(time, image);
  }
  for (const row of left) row.points = formatPoints(present(pointsOf.get(row.number))) ?? row.points;
  return { after, isInherited };
}
