/** Rows to records and back. A record's header is stored as one JSON text, its native object as another. */
import type { Comment } from "#domain/comment.ts";
import type { Held } from "#domain/record.ts";

export interface RecordRow {
  id: string;
  header: string;
  native: string;
  captured_at: number;
  source: string;
}

export const RECORD_COLUMNS = "id, header, native, captured_at, source";

export function recordOf<Kept extends Held<object>>(row: RecordRow): Kept {
  const record = JSON.parse(row.header) as Record<string, unknown>;
  record["id"] = row.id;
  record["native"] = JSON.parse(row.native);
  record["capturedAt"] = row.captured_at;
  record["source"] = row.source;
  return record as unknown as Kept;
}

/** What of a record has no column of its own. */
export function headerOf(record: Held<object>): string {
  const { id: _id, native: _native, capturedAt: _capturedAt, source: _source, ...header } = record;
  return JSON.stringify(header);
}

export function commentOf(row: RecordRow): Comment {
  return recordOf<Comment>(row);
}

/** In the order of `ids`; ids without a record are left out. */
export function inOrder<Item extends { id: string }>(ids: readonly string[], items: Iterable<Item>): Item[] {
  const byId = new Map<string, Item>();
  for (const item of items) byId.set(item.id, item);
  return ids.flatMap((id) => byId.get(id) ?? []);
}
