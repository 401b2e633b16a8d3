import type { AnyRecord, EncodedRecord } from "#store/write/encoded-record.ts";

/** The record that was encoded. */
export function toRecord(
  id: string,
  { capturedAt, source, header, native }: Pick<EncodedRecord, "capturedAt" | "source" | "header" | "native">,
): AnyRecord {
  return { ...(JSON.parse(header) as AnyRecord), id, capturedAt, source, native: JSON.parse(native) as object };
}
