import { parseVideoUrl } from "../video-url.ts";

/** The id in a parameter that may be an id or a URL. */
export function readVideoParameter(value: string | undefined): string | undefined {
  const text = (value ?? "").trim();
  if (/^\d{6,24}$/.test(text)) return text;
  const parsed = parseVideoUrl(text);
  return "id" in parsed ? parsed.id : undefined;
}
