/**
 * Zeeschuimer, the browser extension: an NDJSON line is an envelope around the platform's own object, with the moment
 * of capture. Addresses and user agent of the envelope are not read.
 */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields, readCaptureTime } from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { walkNatives } from "../recognise.ts";

/** `tiktok.com`, `tiktok-comments`. */
export function isOurs(platform: unknown): boolean {
  return typeof platform === "string" && /^tiktok\b/.test(platform);
}

export function isEnvelope(value: unknown): value is Fields {
  return (
    isFields(value) &&
    typeof value["source_platform"] === "string" &&
    "timestamp_collected" in value &&
    ("data" in value || "item_id" in value)
  );
}

/** An item that was seen again while browsing is kept as it was last. */
export function captureTimeOf(envelope: Fields): number | undefined {
  const collected = readCaptureTime(envelope["timestamp_collected"]);
  const updated = readCaptureTime(envelope["last_updated"]);
  return collected === undefined || updated === undefined ? (collected ?? updated) : Math.max(collected, updated);
}

export const zeeschuimer: Importer = {
  name: "zeeschuimer",
  detects: ({ value }) => isEnvelope(value) && isOurs(value["source_platform"]),
  read({ value }, file, collect) {
    if (!isFields(value)) return;
    const stamped = withCaptureTime(collect, captureTimeOf(value));
    const found = walkNatives(value["data"], stamped, { url: null, file });
    if (!found) collect.refuse("unknown_record");
  },
};
