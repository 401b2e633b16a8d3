import type { RequestContext } from "#api/endpoint.ts";
import { idOrUrl } from "#api/id-or-url.ts";
import { integerParameter, textParameter } from "#api/parameters.ts";
import { parseSiteUrl } from "./site-url.ts";

export const MusicIdParameter = textParameter("Id of the sound, or its URL.", { maxLength: 2_048 });
export const VideoIdParameter = textParameter("Id of the video, or its URL.", { maxLength: 2_048 });

type Ctx = Pick<RequestContext, "parameterLocation">;

export function parseMusicId(ctx: Ctx, text: string): string {
  return idOrUrl(ctx, "musicId", text, "sound", parseSiteUrl);
}

export function parseVideoId(ctx: Ctx, text: string): string {
  return idOrUrl(ctx, "videoId", text, "post", parseSiteUrl);
}

export const CursorParameter = integerParameter({
  default: 0,
  description: "0 for the first page; for the next page, the `cursor` of the previous response.",
});
