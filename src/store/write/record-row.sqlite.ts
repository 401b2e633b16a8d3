import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord, EncodedRecord } from "./encoded-record.ts";
import { imageOf, mergeImage, mergeRecord, type RecordRow } from "./record-row.ts";
import type { WriteState } from "./state.sqlite.ts";

/** Merges a capture into a stored record and notes the result. Null if that changes nothing. */
export function mergeCapture(
  state: WriteState,
  [platform, kind, key]: [PlatformName, RecordKind, string],
  stored: RecordRow | undefined,
  incoming: EncodedRecord,
): { before: AnyRecord | null; encoded: EncodedRecord } | null {
  const { merge } = state;
  const merged =
    stored === undefined ? { before: null, encoded: incoming } : mergeRecord(platform, kind, stored, incoming, merge);
  state.note([platform, kind, key], { stored, isChanged: merged !== null, imageOf }, (image) =>
    mergeImage(platform, kind, image, incoming, merge),
  );
  return merged;
}
