/** The columns that records and comments share: the header as one JSON text, the native object as another. */
import type { JsonText } from "#domain/json-text.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { PlatformName, RecordKind, StoredRecord } from "#domain/record.ts";
import { replace } from "./batch-changes.ts";
import type { AnyRecord, EncodedRecord } from "./encoded-record.ts";
import type { Image } from "#store/undo/port.ts";
import { decodeRecord, encodeRecord } from "./row-encoder.ts";
import type { Merge } from "./port.ts";

/** Comments have a table of their own. */
export type NonCommentKind = Exclude<RecordKind, "comment">;

export interface RecordKey {
  platform: PlatformName;
  kind: NonCommentKind;
  id: string;
}

export interface RecordRow {
  id: string;
  header: string;
  native: JsonText<object>;
  captured_at: number;
  source: string;
}

export const RECORD_ROW = ["id", "header", "native", "captured_at", "source"] as const;
export const RECORD_COLUMNS = RECORD_ROW.join(", ");

export function parseRecordRow<Stored extends StoredRecord<object>>(row: RecordRow): Stored {
  perfCounters.recordsParsed++;
  return decodeRecord<Stored>({ ...row, capturedAt: row.captured_at });
}

export function toRecordRow({ id, header, native, capturedAt, source }: EncodedRecord): RecordRow {
  return { id, header, native, captured_at: capturedAt, source };
}

/** The same capture from another source changes nothing, unless it is to replace what is stored. */
function isSameRecord(row: RecordRow, { header, native, capturedAt, source }: EncodedRecord, merge: Merge): boolean {
  if (merge === replace && row.source !== source) return false;
  return row.header === header && row.native === native && row.captured_at === capturedAt;
}

/** As an undone import restores it: both texts are JSON already. */
export function imageOf({ header, native, captured_at, source }: Omit<RecordRow, "id">): string {
  return `{"header":${header},"native":${native},"captured_at":${captured_at},"source":${JSON.stringify(source)}}`;
}

export function parseImage(id: string, image: string): AnyRecord {
  const { header, native, captured_at, source } = JSON.parse(image) as {
    header: AnyRecord;
    native: object;
    captured_at: number;
    source: string;
  };
  return { ...header, id, native, capturedAt: captured_at, source };
}

/** Merges a capture into a stored record. Null if that changes nothing. */
export function mergeRecord(
  platform: PlatformName,
  kind: RecordKind,
  stored: RecordRow,
  incoming: EncodedRecord,
  merge: Merge,
): { before: AnyRecord; encoded: EncodedRecord } | null {
  if (isSameRecord(stored, incoming, merge)) return null;
  const before = parseRecordRow<AnyRecord>(stored);
  const encoded = encodeRecord(kind, merge(kind, before, decodeRecord(incoming), platform));
  return isSameRecord(stored, encoded, merge) ? null : { before, encoded };
}

/** Merges a capture into what an undone import would restore. */
export function mergeImage(
  platform: PlatformName,
  kind: RecordKind,
  image: Image,
  incoming: EncodedRecord,
  merge: Merge,
): Image {
  if (image === null) return imageOf(toRecordRow(incoming));
  const { header, native, ...captured } = JSON.parse(image) as Omit<RecordRow, "id">;
  const stored = { id: incoming.id, header: JSON.stringify(header), native: JSON.stringify(native), ...captured };
  const merged = mergeRecord(platform, kind, stored, incoming, merge);
  return merged === null ? image : imageOf(toRecordRow(merged.encoded));
}
