/**
 * Which job touched which record, and what was stored before: a chain of touches per record, in the order they came. It is
 * written in the transaction of the batch; sql/undo.ts reads it.
 */
import type { ReportKind } from "#domain/job.ts";
import type { PlatformName } from "#domain/record.ts";
import {
  addPointImage,
  type Image,
  isUnchanged,
  type JobTouches,
  liveJobId,
  type Touch,
  UNCHANGED,
} from "../job-touches.ts";
import type { IsErased } from "../scrub.ts";
import { scrubImage } from "../scrub-image.ts";
import type { Checkpoint } from "../writer.ts";
import { batchesOf } from "./record-steps.ts";
import type { SqlSteps, Steps } from "./sql.ts";
import { bigint, columnNames, defineTable, nullableText, oneOf, type RowOf, text } from "./table.ts";

export const JOB_RECORDS = defineTable("job_records", ["key", "platform", "kind", "number"], {
  key: text,
  platform: text,
  kind: oneOf<ReportKind>(),
  number: bigint,
  job_id: text,
  image: oneOf<Image>(),
  /** JSON of images by capture time; null if the record's points were not told apart. */
  points: nullableText,
});
export type JobRecordRow = RowOf<typeof JOB_RECORDS>;

export const TOUCH_COLUMNS = columnNames(JOB_RECORDS).join(", ");

const GET_LATEST = `SELECT ${TOUCH_COLUMNS} FROM job_records latest WHERE key = ANY($1) AND platform = $2 AND kind = $3
  AND number = (SELECT max(number) FROM job_records other
    WHERE other.key = latest.key AND other.platform = latest.platform AND other.kind = latest.kind)`;

/** `progress` is that of the job that wrote, if it was not a live source. */
export function* writeTouchesOf(
  sql: SqlSteps,
  { progress, fetchedFrom }: { progress: Checkpoint | undefined; fetchedFrom: string | undefined },
  touches: JobTouches,
): Steps<void> {
  if (progress !== undefined) yield* writeTouches(sql, progress.file.jobId, touches.values());
  if (fetchedFrom === undefined) return;
  // What it brought is due as a whole: only what others had captured is kept.
  const again = [...touches.values()].filter(({ image }) => image !== null);
  const isOfOthers = ({ image }: JobRecordRow) =>
    image !== null && !isUnchanged(image) && (JSON.parse(image) as { source: string }).source !== fetchedFrom;
  yield* writeTouches(sql, liveJobId(fetchedFrom), again, isOfOthers);
}

function* writeTouches(
  sql: SqlSteps,
  jobId: string,
  touches: Iterable<Touch>,
  isOfOthers: ((row: JobRecordRow) => boolean) | null = null,
): Steps<void> {
  const own: JobRecordRow[] = [];
  const added: JobRecordRow[] = [];
  const again: Touch[] = [];
  for (const touch of touches) {
    if (touch.image === null) own.push(toRow(touch, 1, jobId));
    else again.push(touch);
  }
  for (const group of Map.groupBy(again, ({ platform, kind }) => `${platform}/${kind}`).values()) {
    for (const batch of batchesOf(group)) {
      const { platform, kind } = batch[0] as Touch;
      const keys = batch.map(({ key }) => key);
      const latest = yield* sql.all<JobRecordRow>(GET_LATEST, keys, platform, kind);
      const byKey = new Map(latest.map((row) => [row.key, row]));
      for (const touch of batch) {
        const latestTouch = byKey.get(touch.key);
        const next = toRow(touch, (latestTouch?.number ?? 0) + 1, jobId);
        // Others may have captured it since, in a job whose touches are not kept any more.
        if (latestTouch?.job_id === jobId) own.push(...changedRow(latestTouch, next, isOfOthers?.(next) === true));
        else if (isOfOthers?.(next) !== false) added.push(next);
      }
    }
  }
  yield* sql.upsert(JOB_RECORDS, own);
  // Another import may be adding a touch to the same record.
  yield* sql.insert(JOB_RECORDS, added);
}

/** The job's own touch with what it did since; nothing if it has said all about the record. */
function changedRow(latest: JobRecordRow, next: JobRecordRow, isImageNewer: boolean): JobRecordRow[] {
  const broughtIt = latest.number === 1 && latest.image === null;
  if (broughtIt) return [];
  const merged = parsePoints(latest.points);
  for (const [time, image] of parsePoints(next.points)) addPointImage(merged, time, image);
  const image = latest.image === UNCHANGED || isImageNewer ? next.image : latest.image;
  const points = formatPoints(merged);
  return image === latest.image && points === latest.points ? [] : [{ ...latest, image, points }];
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

/** A row got another key. If a row with that key was stored already, it stays, whichever import is undone. */
export function* moveTouches(
  sql: SqlSteps,
  { platform, kind, from, to }: { platform: PlatformName; kind: ReportKind; from: string; to: string },
  isStored: boolean,
): Steps<void> {
  const read = (key: string) =>
    sql.all<JobRecordRow>(
      `SELECT ${TOUCH_COLUMNS} FROM job_records WHERE key = $1 AND platform = $2 AND kind = $3 ORDER BY number`,
      key,
      platform,
      kind,
    );
  const moved = yield* read(from);
  if (moved.length === 0) return;
  const present = yield* read(to);
  const last = present.at(-1)?.number ?? 0;
  const jobs = new Set(present.map(({ job_id }) => job_id));
  const added = moved.filter(({ job_id }) => !jobs.has(job_id));
  yield* sql.upsert(
    JOB_RECORDS,
    added.map((row, index) => ({
      ...row,
      key: to,
      number: last + index + 1,
      ...(isStored && !isUnchanged(row.image) && { image: UNCHANGED, points: null }),
    })),
  );
  yield* forgetTouches(sql, platform, kind, [from]);
}

const SCRUBBED_ROWS = 500;

/** What was stored before says nothing more about an erased person either. With `kind`, only in touches of that kind. */
export function* scrubTouches(
  sql: SqlSteps,
  platform: PlatformName,
  isErased: IsErased,
  kind: ReportKind | "" = "",
): Steps<void> {
  let last: Pick<JobRecordRow, "kind" | "key" | "number"> | undefined;
  do {
    const rows: JobRecordRow[] = yield* sql.all<JobRecordRow>(
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
    const scrubbed = rows.map((row) => ({ ...row, image: scrubImage(row.kind, row.image as string, isErased) }));
    yield* sql.upsert(
      JOB_RECORDS,
      scrubbed.filter(({ image }, index) => image !== rows[index]?.image),
    );
    last = rows.at(-1);
  } while (last !== undefined);
}
