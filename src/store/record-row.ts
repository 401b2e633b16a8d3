/** Rows to records and back. A record's header is stored as one JSON text, its native object as another. */
import type { Held } from "#domain/record.ts";
import { work } from "#domain/work.ts";

export interface RecordRow {
  id: string;
  header: string;
  native: string;
  captured_at: number;
  source: string;
}

export const RECORD_COLUMNS = "id, header, native, captured_at, source";

export function recordOf<Kept extends Held<object>>(row: RecordRow): Kept {
  work.parsed++;
  const record = JSON.parse(row.header) as Record<string, unknown>;
  record["id"] = row.id;
  record["native"] = JSON.parse(row.native);
  record["capturedAt"] = row.captured_at;
  record["source"] = row.source;
  return record as unknown as Kept;
}
