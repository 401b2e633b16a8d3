import { parameterError, type RequestContext } from "./endpoint.ts";
import { isUrl, type ParseSiteUrl } from "./site-url.ts";

/** The id of a post or sound, sent as it is or as its URL. */
export function idOrUrl(
  ctx: Pick<RequestContext, "parameterLocation">,
  parameter: string,
  text: string,
  kind: "post" | "sound",
  parseUrl: ParseSiteUrl,
): string {
  const trimmed = text.trim();
  if (!isUrl(trimmed)) return text;
  const target = parseUrl(trimmed);
  if (target?.kind === kind) return target.id;
  throw parameterError(
    ctx,
    "invalid_parameter",
    parameter,
    `must be the id of a ${kind} or its URL on the platform's own site; short links are not resolved`,
  );
}
