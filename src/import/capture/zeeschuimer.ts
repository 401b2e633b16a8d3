/**
 * The envelope that the Zeeschuimer browser extension puts around a platform's own object, one per line. 4CAT stores the
 * same lines inside out: the object at the top, the envelope in `__import_meta`.
 */
import { type Fields, isFields, readCaptureTime } from "./field-readers.ts";

export interface Envelope {
  /** `tiktok.com`, `tiktok-comments`, `instagram.com`; undefined where 4CAT left it out. */
  platform: string | undefined;
  data: unknown;
  /** Unix milliseconds. */
  capturedAt: number | undefined;
}

export function readZeeschuimer(value: unknown): Envelope | undefined {
  if (!isFields(value) || typeof value["source_platform"] !== "string") return undefined;
  if (!("timestamp_collected" in value) || !("data" in value || "item_id" in value)) return undefined;
  return toEnvelope(value, value["data"]);
}

export function read4cat(value: unknown): Envelope | undefined {
  if (!isFields(value) || !isFields(value["__import_meta"])) return undefined;
  const { __import_meta: meta, ...data } = value;
  return toEnvelope(meta, data);
}

/** An item that was seen again while browsing is exported as it was last, so the later time counts. */
function toEnvelope(meta: Fields, data: unknown): Envelope {
  const platform = meta["source_platform"];
  const times = [meta["timestamp_collected"], meta["last_updated"]].flatMap((time) => readCaptureTime(time) ?? []);
  return {
    platform: typeof platform === "string" ? platform : undefined,
    data,
    capturedAt: times.length === 0 ? undefined : Math.max(...times),
  };
}
