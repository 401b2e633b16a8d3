import type { RequestContext } from "#api/endpoint.ts";
import { idOrUrl } from "#api/id-or-url.ts";
import { textParameter } from "#api/parameters.ts";
import { parseSiteUrl } from "./site-url.ts";

export const VideoIdParameter = textParameter("Id of the video, or its URL.", { maxLength: 2_048 });

export function parseVideoId(ctx: Pick<RequestContext, "parameterLocation">, text: string): string {
  return idOrUrl(ctx, "video_id", text, "post", parseSiteUrl);
}
