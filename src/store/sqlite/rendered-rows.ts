/**
 * Keeps what shapes draw beside the records they drew it from, written in the same transaction: what is shown is never
 * older or newer than the record. A record's texts stand together, by its number and the place of the shape.
 */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { decodeRecord } from "../row-encoder.ts";
import {
  MAX_STORED_PROJECTIONS,
  type Projection,
  type ProjectionRegistry,
  type RawJsonText,
} from "#domain/projection.ts";
import { projectionsOf, renderRecord } from "../render.ts";
import type { AnyRecord, IndexFields, EncodedRecord } from "../store.ts";
import type { Database } from "./database.ts";

const PUT = `INSERT INTO shown (id, captured_at, digest, text) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET captured_at = excluded.captured_at, digest = excluded.digest, text = excluded.text`;
const TAKE_OUT = "DELETE FROM shown WHERE id >= ? AND id < ?";
const PUT_COMMENT = "UPDATE comments SET digest = ?, shown = ? WHERE platform = ? AND post_id = ? AND id = ?";

export type KeptRecord = Omit<EncodedRecord, keyof IndexFields>;

export class RenderedRows {
  readonly #db: Database;
  readonly #book: ProjectionRegistry;

  constructor(db: Database, book: ProjectionRegistry) {
    this.#db = db;
    this.#book = book;
  }

  put(platform: PlatformName, kind: RecordKind, number: number, kept: KeptRecord): void {
    const shapes = projectionsOf(this.#book, platform, kind);
    // What others keep of it is of the record as it was.
    if (shapes.length === 0) return void this.#db.run(TAKE_OUT, renderedId(number, 0), renderedId(number + 1, 0));
    const shown = kept.rendered ?? this.#drawn(shapes, kept);
    shown.forEach(({ digest, text }, slot) =>
      this.#db.run(PUT, renderedId(number, slot), kept.capturedAt, digest, text),
    );
  }

  /** Comments are short: what is shown of one stands in its row. */
  putComment(platform: PlatformName, postId: string, kept: KeptRecord): void {
    const written = this.comment(platform, kept);
    this.#db.run(PUT_COMMENT, written?.digest ?? null, written?.text ?? null, platform, postId, kept.id);
  }

  /** Null where no shape is kept. */
  comment(platform: PlatformName, kept: KeptRecord): RawJsonText | null {
    const shapes = projectionsOf(this.#book, platform, "comment");
    return (kept.rendered ?? this.#drawn(shapes, kept))[0] ?? null;
  }

  #drawn(shapes: readonly Projection<AnyRecord>[], kept: KeptRecord): RawJsonText[] {
    if (shapes.length === 0) return [];
    const record = decodeRecord(kept);
    return shapes.map((shape) => renderRecord(shape, record));
  }
}

export function renderedId(number: number, slot: number): number {
  return number * MAX_STORED_PROJECTIONS + slot;
}
