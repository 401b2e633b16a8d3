/**
 * Records as answers show them. A shape draws a record; a store may keep what it drew as text, beside the record and
 * made with it, so that an answer is put together from texts and no record is read apart to be written out again.
 */
import type { PlatformName, RecordKind } from "./record.ts";

/** How a record is shown. Pure: the same record is always drawn alike. */
export interface Projection<Kept, Drawn = unknown> {
  /** Names it within its platform and kind. */
  name: string;
  /** Raised whenever it draws a record otherwise than before: then what stores keep of it is made anew. */
  version: number;
  /** Null marks what is not known. */
  project: (record: Kept) => Drawn;
  /** JSON, with what stands for the unknown filled in. */
  renderJson: (record: Kept) => string;
}

/** The shapes that a store keeps texts of, for each kind of record at most `MOST_SHAPES`. */
export type StoredProjections = Partial<Record<RecordKind, readonly Projection<never>[]>>;
export type ProjectionRegistry = Readonly<Record<PlatformName, StoredProjections>>;

export const MAX_STORED_PROJECTIONS = 4;

/** A record as it goes into an answer. */
export interface Rendered<Drawn> {
  id: string;
  capturedAt: number;
  /** What the shape drew, or in its place the text that it comes to: whoever writes the answer takes either. */
  body: Drawn;
}

/** Whether records are shown as they were drawn, or written out as far as possible. */
export type RenderMode = "object" | "json";

export interface RawJsonText {
  readonly text: string;
  /** Of the text: parts with the same digest are the same. */
  readonly digest: string;
}

/** A part of an answer that is written out already. */
export class RawJson implements RawJsonText {
  readonly text: string;
  readonly digest: string;

  constructor(text: string, digest: string) {
    this.text = text;
    this.digest = digest;
  }

  /** JSON has no word for text that is JSON already: a mark keeps its place, see `outline`. */
  toJSON(): string {
    spliced.push(this);
    return PLACEHOLDER;
  }
}

/** No text of anybody holds it: it is drawn anew with every start. */
const PLACEHOLDER = crypto.randomUUID();
const QUOTED_PLACEHOLDER = `"${PLACEHOLDER}"`;
let spliced: RawJson[] = [];

export interface JsonChunks {
  /** JSON between the parts, one more than there are parts. */
  pieces: string[];
  parts: RawJson[];
}

/** JSON of what holds parts that are written out. */
export function serialiseChunks(body: unknown): JsonChunks {
  spliced = [];
  const pieces = JSON.stringify(body).split(QUOTED_PLACEHOLDER);
  return { pieces, parts: spliced };
}
