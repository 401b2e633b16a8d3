/** Rows to records and back. A record's header is stored as one JSON text, its native object as another. */
import type { StoredRecord } from "#domain/record.ts";
import { perfCounters } from "#domain/perf-counters.ts";

export interface RecordRow {
  id: string;
  header: string;
  native: string;
  captured_at: number;
  source: string;
}

export const RECORD_COLUMNS = "id, header, native, captured_at, source";

export function recordOf<Kept extends StoredRecord<object>>(row: RecordRow): Kept {
  perfCounters.parsed++;
  const record = JSON.parse(row.header) as Record<string, unknown>;
  record["id"] = row.id;
  record["native"] = JSON.parse(row.native);
  record["capturedAt"] = row.captured_at;
  record["source"] = row.source;
  return record as unknown as Kept;
}
