/**
 * The table of the undo log: per record a chain of touches, in the order they came. It is written in the transaction of the
 * batch. The imported state of a record that live sources fetched, too, is what it would be without them.
 */
import type { ReportKind } from "#domain/job.ts";
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import {
  addPointImage,
  type Image,
  isLive,
  isUnchanged,
  type JobTouches,
  liveJobId,
  liveSourceOf,
  type MoveTouches,
  type Touch,
  UNCHANGED,
} from "./port.ts";
import type { Checkpoint } from "#store/write/port.ts";
import { readPoints } from "#store/counters/port.ts";
import type { ScrubRules } from "#store/write/concern.ts";
import { batchesOf, type SqlSteps, type Steps } from "#store/sql/sql.ts";
import { JOB_RECORDS, type JobRecordRow, TOUCH_COLUMNS } from "./tables.ts";

/** The latest touch of each record, with the imported state before it, and those of live sources. */
const GET_TOUCHES = `SELECT ${TOUCH_COLUMNS} FROM job_records touch WHERE key = ANY($1) AND platform = $2 AND kind = $3
  AND (job_id LIKE '${liveJobId("%")}' OR abs(number) = (SELECT max(number) FROM job_records other
    WHERE other.key = touch.key AND other.platform = touch.platform AND other.kind = touch.kind)) ORDER BY number`;

/** Waits for other imports that change the same touches, and keeps them out until the commit. */
const LOCK_LIVE = `UPDATE job_records SET job_id = job_id
  WHERE key = ANY($1) AND platform = $2 AND kind = $3 AND job_id LIKE '${liveJobId("%")}'`;

const FORGET_ROW = `UPDATE job_records SET image = '${UNCHANGED}'
  WHERE key = $1 AND platform = $2 AND kind = $3 AND number > $4 AND job_id NOT LIKE '${liveJobId("%")}'`;

interface Noted {
  changed: JobRecordRow[];
  added: JobRecordRow[];
}

/** `progress` is that of the job that wrote, if it was not a live source. */
export function* writeTouchesOf(
  sql: SqlSteps,
  { progress, fetchedFrom }: { progress: Checkpoint | undefined; fetchedFrom: string | undefined },
  touches: JobTouches,
): Steps<void> {
  const jobId = fetchedFrom === undefined ? progress?.file.jobId : liveJobId(fetchedFrom);
  const { brought = [], again = [] } = Object.groupBy(touches.values(), ({ image }) =>
    image === null ? "brought" : "again",
  );
  const noted: Noted = {
    changed: jobId === undefined ? [] : brought.map((touch) => toRow(touch, 1, jobId)),
    added: [],
  };
  for (const group of Map.groupBy(again, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    for (const batch of batchesOf(group)) {
      const { platform, kind } = present(batch[0]);
      const values = [batch.map(({ key }) => key), platform, kind] as const;
      let rows = yield* sql.all<JobRecordRow>(GET_TOUCHES, ...values);
      if (rows.some(isLive)) {
        yield* sql.run(LOCK_LIVE, ...values);
        rows = yield* sql.all<JobRecordRow>(GET_TOUCHES, ...values);
      }
      const byKey = Map.groupBy(rows, ({ key }) => key);
      for (const touch of batch) {
        const stored = byKey.get(touch.key) ?? [];
        if (fetchedFrom === undefined) noteImport(touch, stored, jobId, noted);
        else yield* noteFetch(sql, touch, stored, fetchedFrom, noted);
      }
    }
  }
  yield* sql.upsert(JOB_RECORDS, noted.changed);
  // Another import may be adding a touch to the same record.
  yield* sql.insert(JOB_RECORDS, noted.added);
}

/** What a live source had changed before becomes, when that is due, what it would be without the source: see `noteFetch`. */
function noteImport(
  touch: Touch,
  stored: readonly JobRecordRow[],
  jobId: string | undefined,
  { changed, added }: Noted,
): void {
  const live = stored.filter(isLive);
  const imported = imageOfLive(live);
  let merged = imported;
  if (imported !== undefined) merged = touch.captures.reduce((image, capture) => capture(image), imported);
  if (merged !== imported) changed.push(...live.map((row) => ({ ...row, image: merged as Image })));
  if (jobId === undefined) return;
  const latest = stored.at(-1);
  const isOwn = latest?.job_id === jobId;
  const number = isOwn ? latest.number : (latest?.number ?? 0) + 1;
  const next = toRow(touch, number, jobId);
  if (isOwn) changed.push(...changedRow(latest, next));
  else added.push(next);
  if (imported === undefined) return;
  const before = { ...next, number: -number, image: merged === imported ? UNCHANGED : imported, points: null };
  const noted = stored.find((row) => row.number === -number);
  if (noted === undefined) added.push(before);
  else if (noted.image === UNCHANGED) changed.push(before);
}

/** A live source has one touch of a record, with all its points. The image is the imported state, null if there is none. */
function* noteFetch(
  sql: SqlSteps,
  touch: Touch,
  stored: readonly JobRecordRow[],
  source: string,
  { changed, added }: Noted,
): Steps<void> {
  const jobId = liveJobId(source);
  const live = stored.filter(isLive);
  const latest = stored.at(-1)?.number ?? 0;
  const own = live.findLast((row) => row.job_id === jobId);
  const isChanged = touch.image !== UNCHANGED;
  if (own === undefined) {
    if (!isChanged) return;
    const next = toRow(touch, latest + 1, jobId);
    // What the source brought before its touches were noted has none.
    const image = isFrom(source, next.image) ? null : next.image;
    const imported = imageOfLive(live);
    added.push({ ...next, image: imported === undefined ? image : imported });
    return;
  }
  const points = mergePoints(own.points, formatPoints(touch.points));
  if (points !== own.points) changed.push({ ...own, points });
  // What was stored before a later import is not what is stored before it now.
  if (isChanged && latest > own.number) yield* sql.run(FORGET_ROW, touch.key, touch.platform, touch.kind, own.number);
}

/** The imported state; undefined if no live source touched the record. Earlier versions may have stored no image. */
export function imageOfLive(touches: readonly JobRecordRow[]): Image | undefined {
  const image = touches.findLast(isLive)?.image;
  return image === UNCHANGED ? null : image;
}

function isFrom(source: string, image: Image): boolean {
  return (JSON.parse(present(image)) as { source: string }).source === source;
}

/** The job's own touch with what it did since; empty if that changes nothing in it. */
function changedRow(latest: JobRecordRow, next: JobRecordRow): JobRecordRow[] {
  if (latest.number === 1 && hasAllPoints(latest)) return [];
  const image = latest.image === UNCHANGED ? next.image : latest.image;
  const points = mergePoints(latest.points, next.points);
  return image === latest.image && points === latest.points ? [] : [{ ...latest, image, points }];
}

/** Whether a job brought the record, and with it all points that no other touch is known to have added. */
export function hasAllPoints(touch: JobRecordRow): boolean {
  return touch.image === null && touch.points === null && !isLive(touch);
}

function mergePoints(stored: string | null, added: string | null): string | null {
  if (added === null) return stored;
  const merged = parsePoints(stored);
  for (const [time, image] of parsePoints(added)) addPointImage(merged, time, image);
  return formatPoints(merged);
}

function toRow({ platform, kind, key, image, points }: Touch, number: number, jobId: string): JobRecordRow {
  return {
    key,
    platform,
    kind,
    number,
    job_id: jobId,
    image: typeof image === "function" ? image() : image,
    points: formatPoints(points),
  };
}

export function parsePoints(points: string | null): Map<number, Image> {
  const images = points === null ? {} : (JSON.parse(points) as Record<string, Image>);
  return new Map(Object.entries(images).map(([time, image]) => [Number(time), image]));
}

export function formatPoints(points: ReadonlyMap<number, Image>): string | null {
  return points.size === 0 ? null : JSON.stringify(Object.fromEntries(points));
}

/** Those that have touches: one look into the index for each. */
export function* listLiveSources(sql: SqlSteps): Steps<string[]> {
  const sources: string[] = [];
  let jobId = liveJobId("");
  for (;;) {
    const next = "SELECT job_id FROM job_records WHERE job_id > $1 ORDER BY job_id LIMIT 1";
    const row: Pick<JobRecordRow, "job_id"> | undefined = yield* sql.get(next, jobId);
    if (row === undefined || !isLive(row)) return sources;
    jobId = row.job_id;
    sources.push(liveSourceOf(row));
  }
}

/** For records that are deleted for another reason: no undo must bring anything of them back. */
export function* forgetTouches(
  sql: SqlSteps,
  platform: PlatformName,
  kind: ReportKind,
  keys: readonly string[],
): Steps<void> {
  for (const batch of batchesOf(keys)) {
    yield* sql.run(
      "DELETE FROM job_records WHERE key = ANY($1) AND platform = $2 AND kind = $3",
      batch,
      platform,
      kind,
    );
  }
}

/** The touches of jobs, each with the imported state before it. */
export function importedChain(touches: readonly JobRecordRow[]): JobRecordRow[] {
  const before = new Map(touches.map(({ number, image }) => [-number, image]));
  const fetched = touches.find(isLive)?.number ?? Infinity;
  return touches
    .filter((row) => row.number > 0 && !isLive(row))
    .map((row) => {
      const image = row.number < fetched ? row.image : UNCHANGED;
      const imported = before.get(row.number);
      return { ...row, image: imported === undefined ? image : imported };
    });
}

/** See `MoveTouches`. */
export function* moveTouches(
  sql: SqlSteps,
  ...[{ platform, kind, from, to }, isStored, mergeImported]: Parameters<MoveTouches>
): Steps<void> {
  const read = (key: string) =>
    sql.all<JobRecordRow>(
      `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE key = $1 AND platform = $2 AND kind = $3 ORDER BY number`,
      key,
      platform,
      kind,
    );
  const moved = yield* read(from);
  const there = yield* read(to);
  const live = [...there, ...moved].filter(isLive);
  if (moved.length === 0 && live.length === 0) return;
  const creator = moved.find(({ number }) => number > 0);
  if (isStored && kind === "account" && creator !== undefined && hasAllPoints(creator)) {
    creator.points = yield* listUnnotedPoints(sql, moved, { platform, from, to });
  }
  const last = there.at(-1)?.number ?? 0;
  const jobs = new Set(there.map(({ job_id }) => job_id));
  const isAdded = ({ job_id }: JobRecordRow) => !jobs.has(job_id);
  const toMoved = (row: JobRecordRow, stays: boolean): JobRecordRow => ({
    ...row,
    key: to,
    number: row.number + last,
    ...(stays && !isLive(row) && !isUnchanged(row.image) && { image: UNCHANGED }),
  });
  const rows = moved.filter((row) => isAdded(row) && row.number > 0).map((row) => toMoved(row, isStored));
  for (const row of there.filter((one) => one.number > 0 && !hasAllPoints(one))) {
    const others = moved.filter(({ job_id }) => job_id === row.job_id);
    const points = others.reduce((merged, other) => mergePoints(merged, other.points), row.points);
    if (points !== row.points || isLive(row)) rows.push({ ...row, points });
  }
  if (live.length > 0) {
    const imported = imageOfLive(there);
    const image = mergeImported(imported, imageOfLive(moved));
    for (const row of importedChain(moved).filter(isAdded)) {
      const before = toMoved(row, isStored && imported !== null);
      rows.push({ ...before, number: -before.number, points: null });
    }
    for (const row of rows.filter(isLive)) row.image = image;
  }
  yield* sql.upsert(JOB_RECORDS, rows);
  yield* forgetTouches(sql, platform, kind, [from]);
}

/**
 * The points that no touch of a moved account is known to have added, with what the account with the new key has at the same
 * times: they came with the moved account, and would belong to the job that brought the other.
 */
function* listUnnotedPoints(
  sql: SqlSteps,
  moved: readonly JobRecordRow[],
  { platform, from, to }: Pick<Parameters<MoveTouches>[0], "platform" | "from" | "to">,
): Steps<string | null> {
  const points = yield* readPoints(sql, { platform, kind: "account", id: from });
  const replaced = yield* readPoints(sql, { platform, kind: "account", id: to });
  const noted = moved.map((row) => parsePoints(row.points));
  const times = [...points.keys()].filter((time) => noted.every((images) => images.get(time) !== null));
  return formatPoints(new Map(times.map((time) => [time, replaced.get(time) ?? null])));
}

const SCRUBBED_ROWS = 500;

type RowWithImage = JobRecordRow & { image: string };

/** Removes erased people from what was stored before. An empty `kind` means all. */
export function* scrubTouches(
  sql: SqlSteps,
  platform: PlatformName,
  { image: scrubImage }: Pick<ScrubRules, "image">,
  kind: ReportKind | "",
): Steps<void> {
  let last: Pick<JobRecordRow, "kind" | "key" | "number"> | undefined;
  do {
    const rows: RowWithImage[] = yield* sql.all<RowWithImage>(
      `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE platform = $1 AND image IS NOT NULL AND image <> $2
         AND (kind, key, number) > ($3, $4, $5) AND ($6 = '' OR kind = $6) ORDER BY kind, key, number LIMIT $7`,
      platform,
      UNCHANGED,
      last?.kind ?? kind,
      last?.key ?? "",
      last?.number ?? 0,
      kind,
      SCRUBBED_ROWS,
    );
    const scrubbed = rows.map((row) => ({ ...row, image: scrubImage(row.kind, row.image) }));
    yield* sql.upsert(
      JOB_RECORDS,
      scrubbed.filter(({ image }, index) => image !== rows[index]?.image),
    );
    last = rows.at(-1);
  } while (last !== undefined);
}
