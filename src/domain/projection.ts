/**
 * Projections of records to wire objects, and pre-rendered JSON. A store may keep the JSON of a projection beside its
 * record, so that responses are joined from texts without parsing and serialising the record again.
 */
import type { PlatformName, RecordKind } from "./record.ts";

/** Projects a record to a wire object. Pure: the same record always gives the same object. */
export interface Projection<Stored, Wire = unknown> {
  /** Unique within its platform and kind. */
  name: string;
  /** Raise it whenever the output changes: stores then render their records again. */
  version: number;
  /** Null marks unknown values. */
  project: (record: Stored) => Wire;
  /** The JSON of the wire object, with defaults in place of unknown values. */
  renderJson: (record: Stored) => string;
}

/** The projections a store keeps JSON of, at most `MAX_STORED_PROJECTIONS` for each kind of record. */
export type StoredProjections = Partial<Record<RecordKind, readonly Projection<never>[]>>;
export type ProjectionRegistry = Readonly<Record<PlatformName, StoredProjections>>;

export const MAX_STORED_PROJECTIONS = 4;

/** Whether a reader returns wire objects or, as far as possible, pre-rendered JSON. */
export type RenderMode = "object" | "json";

/** A projected record. A handler cannot read `body`, since it may be either; it only passes it on. */
export interface Rendered<Wire> {
  id: string;
  capturedAt: number;
  body: Wire | RawJson;
}

export interface RawJsonText {
  readonly json: string;
  /** Digest of the JSON: equal digests mean equal texts. */
  readonly digest: string;
}

/** A pre-rendered part of a response. Its members must not share a name with a wire field; see `Rendered`. */
export class RawJson implements RawJsonText {
  readonly json: string;
  readonly digest: string;

  constructor(json: string, digest: string) {
    this.json = json;
    this.digest = digest;
  }

  /** `JSON.stringify` cannot insert raw JSON objects: `serialiseChunks` replaces this placeholder. */
  toJSON(): string {
    spliced.push(this);
    return PLACEHOLDER;
  }
}

/** Random per process, so it cannot occur in user content. */
const PLACEHOLDER = crypto.randomUUID();
const QUOTED_PLACEHOLDER = `"${PLACEHOLDER}"`;
let spliced: RawJson[] = [];

export interface JsonChunks {
  /** The JSON between the raw parts, one more than there are parts. */
  chunks: string[];
  rawParts: RawJson[];
}

/** Serialises a body that contains raw JSON. */
export function serialiseChunks(body: unknown): JsonChunks {
  spliced = [];
  const chunks = JSON.stringify(body).split(QUOTED_PLACEHOLDER);
  return { chunks, rawParts: spliced };
}
