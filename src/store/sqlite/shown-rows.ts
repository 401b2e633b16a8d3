/**
 * Keeps what shapes draw beside the records they drew it from, written in the same transaction: what is shown is never
 * older or newer than the record. A record's texts stand together, by its number and the place of the shape.
 */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { recordFrom } from "../prepared-record.ts";
import { MOST_SHAPES, type Shape, type ShapeBook, type WrittenText } from "#domain/shown.ts";
import { shapesOf, writeOut } from "../writing-out.ts";
import type { Counted, Derived, PreparedRecord } from "../store.ts";
import type { Database } from "./database.ts";

const PUT = `INSERT INTO shown (id, captured_at, digest, text) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET captured_at = excluded.captured_at, digest = excluded.digest, text = excluded.text`;
const TAKE_OUT = "DELETE FROM shown WHERE id >= ? AND id < ?";
const PUT_COMMENT = "UPDATE comments SET digest = ?, shown = ? WHERE platform = ? AND post_id = ? AND id = ?";

export type KeptRecord = Omit<PreparedRecord, keyof Derived>;

export class ShownRows {
  readonly #db: Database;
  readonly #book: ShapeBook;

  constructor(db: Database, book: ShapeBook) {
    this.#db = db;
    this.#book = book;
  }

  put(platform: PlatformName, kind: RecordKind, number: number, kept: KeptRecord): void {
    const shapes = shapesOf(this.#book, platform, kind);
    // What others keep of it is of the record as it was.
    if (shapes.length === 0) return void this.#db.run(TAKE_OUT, shownId(number, 0), shownId(number + 1, 0));
    const shown = kept.shown ?? this.#drawn(shapes, kept);
    shown.forEach(({ digest, text }, slot) => this.#db.run(PUT, shownId(number, slot), kept.capturedAt, digest, text));
  }

  /** Comments are short: what is shown of one stands in its row. */
  putComment(platform: PlatformName, postId: string, kept: KeptRecord): void {
    const written = this.comment(platform, kept);
    this.#db.run(PUT_COMMENT, written?.digest ?? null, written?.text ?? null, platform, postId, kept.id);
  }

  /** Null where no shape is kept. */
  comment(platform: PlatformName, kept: KeptRecord): WrittenText | null {
    const shapes = shapesOf(this.#book, platform, "comment");
    return (kept.shown ?? this.#drawn(shapes, kept))[0] ?? null;
  }

  #drawn(shapes: readonly Shape<Counted>[], kept: KeptRecord): WrittenText[] {
    if (shapes.length === 0) return [];
    const record = recordFrom(kept);
    return shapes.map((shape) => writeOut(shape, record));
  }
}

export function shownId(number: number, slot: number): number {
  return number * MOST_SHAPES + slot;
}
