/** The columns that records and comments share: the header as one JSON text, the native object as another. */
import { perfCounters } from "#domain/perf-counters.ts";
import type { StoredRecord } from "#domain/record.ts";
import type { EncodedRecord } from "./encoded-record.ts";
import { decodeRecord } from "./row-encoder.ts";

export interface RecordRow {
  id: string;
  header: string;
  native: string;
  captured_at: number;
  source: string;
}

export const RECORD_COLUMNS = "id, header, native, captured_at, source";

export function parseRecordRow<Stored extends StoredRecord<object>>(row: RecordRow): Stored {
  perfCounters.recordsParsed++;
  return decodeRecord<Stored>({ ...row, capturedAt: row.captured_at });
}

export function toRecordRow({ id, header, native, capturedAt, source }: EncodedRecord): RecordRow {
  return { id, header, native, captured_at: capturedAt, source };
}

export function isSameRecord(row: RecordRow, { header, native, capturedAt }: EncodedRecord): boolean {
  return row.header === header && row.native === native && row.captured_at === capturedAt;
}
