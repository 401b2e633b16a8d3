import { readVideoId } from "../importers/id-forms.ts";
import { parseSiteUrl } from "../site-url.ts";

/** The id in a parameter that may be an id or a URL. */
export function readVideoParameter(value: string | undefined): string | undefined {
  const text = (value ?? "").trim();
  const target = parseSiteUrl(text);
  return readVideoId(target?.kind === "post" ? target.id : text);
}
