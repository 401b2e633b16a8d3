/**
 * The undo log of imports: a touch is an entry of it, with the before-image of a row that a batch wrote. statements.ts
 * stores it, undo.ts undoes a job by it.
 */
import type { ReportKind } from "#domain/job.ts";
import type { JsonText } from "#domain/json-text.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Steps } from "#store/sql/sql.ts";

/** Before-image: JSON, null if nothing was stored, or `UNCHANGED` if the touch changed nothing. */
export type Image = string | null;

export const UNCHANGED = "=";

/** Earlier versions added more text to that of a point. */
export function isUnchanged(image: Image): boolean {
  return image !== null && image.startsWith(UNCHANGED);
}

export interface Touch {
  platform: PlatformName;
  kind: ReportKind;
  key: string;
  image: Image | (() => string);
  /** What the batch captured, one after the other, to be merged into another state of the row. */
  captures: MergeInto[];
  /** Of the counters at each capture time. */
  points: Map<number, Image>;
}

/** Merges a capture into a state of the row. */
export type MergeInto = (image: Image) => Image;

const LIVE = "live source ";

/** A live source is logged as a job that cannot be undone: see `restoreImported` of the writer. */
export function liveJobId(source: string): string {
  return LIVE + source;
}

/** The source of a touch of one. */
export function liveSourceOf({ job_id }: { job_id: string }): string {
  return job_id.slice(LIVE.length);
}

export function isLive({ job_id }: { job_id: string }): boolean {
  return job_id.startsWith(LIVE);
}

interface CompositeKeys {
  comment: [postId: string, id: string];
  subtitles: [postId: string, language: string, automatic: boolean];
  follow: [accountId: string, followerId: string];
}

export type RowKey<Kind> = Kind extends keyof CompositeKeys ? JsonText<CompositeKeys[Kind]> : string;

/** The key of a row that more than one column identifies. */
export function compositeKey<Columns extends (string | number | boolean)[]>(...columns: Columns): JsonText<Columns> {
  return JSON.stringify(columns).toWellFormed();
}

/** The first change at a time says what was there before. */
export function addPointImage(points: Map<number, Image>, time: number, image: Image): void {
  const before = points.get(time);
  if (before === undefined || (isUnchanged(before) && !isUnchanged(image))) points.set(time, image);
}

export class JobTouches {
  readonly #touches = new Map<string, Touch>();
  readonly #isFetched: boolean;

  /** `isFetched` if a live source writes the batch. */
  constructor(isFetched: boolean) {
    this.#isFetched = isFetched;
  }

  /** The image is computed only if it is needed. */
  add(platform: PlatformName, kind: ReportKind, key: string, image: Touch["image"], capture: MergeInto): void {
    const path = `${platform}/${kind}/${key}`;
    const touch = this.#touches.get(path);
    if (touch === undefined) {
      const added = { platform, kind, key: key.toWellFormed(), image, captures: [capture], points: new Map() };
      this.#touches.set(path, added);
      return;
    }
    touch.captures.push(capture);
    if (touch.image === UNCHANGED) touch.image = image;
  }

  addPoint(platform: PlatformName, kind: RecordKind, id: string, capturedAt: number, image: Image): void {
    const touch = this.#touches.get(`${platform}/${kind}/${id}`);
    // All points of a record belong to the job that brought it, unless another is known to have added them.
    if (touch === undefined || (touch.image === null && !this.#isFetched)) return;
    addPointImage(touch.points, capturedAt, image);
  }

  values(): Iterable<Touch> {
    return this.#touches.values();
  }
}

/** Notes that a row got another key. If a row with that key was stored already, it stays, whichever import is undone. */
export type MoveTouches = (
  keys: { platform: PlatformName; kind: ReportKind; from: string; to: string },
  isStored: boolean,
  mergeImported: MergeImported,
) => Steps<void>;

/** The imported state of two rows, given that of each, if live sources touched it. */
export type MergeImported = (to: Image | undefined, from: Image | undefined) => Image;
