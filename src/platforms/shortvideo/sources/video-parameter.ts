import { parseVideoUrl } from "../video-url.ts";

const MAX_ID = 2n ** 63n;

/** The id in a parameter that may be an id or a URL. Undefined for a number that is no id of the platform. */
export function readVideoParameter(value: string | undefined): string | undefined {
  const text = (value ?? "").trim();
  const parsed = /^\d{6,24}$/.test(text) ? { id: text } : parseVideoUrl(text);
  return "id" in parsed && BigInt(parsed.id) < MAX_ID ? parsed.id : undefined;
}
