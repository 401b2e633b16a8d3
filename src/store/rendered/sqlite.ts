/**
 * Writes the JSON of the stored projections beside each record, in the same transaction. A record's texts are adjacent:
 * their id is made of the record's number and the slot of the projection.
 */
import { present } from "#domain/present.ts";
import {
  MAX_STORED_PROJECTIONS,
  type Projection,
  type ProjectionRegistry,
  type RawJsonText,
} from "#domain/projection.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { RenderableRecord, RenderedTable, RenderedWriter } from "./port.ts";
import { projectionsOf, renderJson } from "./render.ts";
import type { RecordRow } from "#store/write/record-row.ts";
import { decodeRecord } from "#store/write/row-encoder.ts";
import type { Database } from "#store/sqlite/database.ts";

const WRITE = `INSERT INTO rendered_records (id, captured_at, digest, json) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET captured_at = excluded.captured_at, digest = excluded.digest, json = excluded.json`;
const DELETE = "DELETE FROM rendered_records WHERE id >= ? AND id < ?";
const WRITE_COMMENT = "UPDATE comments SET digest = ?, rendered = ? WHERE platform = ? AND post_id = ? AND id = ?";

const GET_NUMBER = "SELECT number FROM records WHERE platform = ? AND kind = ? AND id = ?";

export class RenderedRows implements RenderedWriter {
  readonly #db: Database;
  readonly #projections: ProjectionRegistry;

  constructor(db: Database, projections: ProjectionRegistry) {
    this.#db = db;
    this.#projections = projections;
  }

  write(platform: PlatformName, kind: RecordKind, number: number, record: RenderableRecord): void {
    const projections = projectionsOf(this.#projections, platform, kind);
    // Another program may have rendered the record as it was before.
    if (projections.length === 0) return void this.#db.run(DELETE, renderedId(number, 0), renderedId(number + 1, 0));
    const rendered = record.rendered ?? render(projections, record);
    rendered.forEach(({ digest, json }, slot) =>
      this.#db.run(WRITE, renderedId(number, slot), record.capturedAt, digest, json),
    );
  }

  /** Comments are short: their JSON is a column of their row. */
  writeComment(platform: PlatformName, postId: string, comment: RenderableRecord): void {
    const rendered = this.renderComment(platform, comment);
    this.#db.run(WRITE_COMMENT, rendered?.digest ?? null, rendered?.json ?? null, platform, postId, comment.id);
  }

  renderComment(platform: PlatformName, comment: RenderableRecord): RawJsonText | null {
    const projections = projectionsOf(this.#projections, platform, "comment");
    return (comment.rendered ?? render(projections, comment))[0] ?? null;
  }
}

function render(projections: readonly Projection<AnyRecord>[], encoded: RenderableRecord): RawJsonText[] {
  if (projections.length === 0) return [];
  const record = decodeRecord(encoded);
  return projections.map((projection) => renderJson(projection, record));
}

export function renderedId(number: number, slot: number): number {
  return number * MAX_STORED_PROJECTIONS + slot;
}

export function createRenderedTable(db: Database, rendered: RenderedRows): RenderedTable {
  return {
    writeRecord(platform, kind, record) {
      const { number } = present(db.get<{ number: number }>(GET_NUMBER, platform, kind, record.id));
      rendered.write(platform, kind, number, toRenderable(record));
    },
    writeComment: (platform, postId, comment) => rendered.writeComment(platform, postId, toRenderable(comment)),
  };
}

function toRenderable({ captured_at: capturedAt, ...row }: RecordRow): RenderableRecord {
  return { ...row, capturedAt };
}
