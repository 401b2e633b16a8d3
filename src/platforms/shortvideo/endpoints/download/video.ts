import { Type } from "#api/schema.ts";
import { type Context, endpoint, parameterError } from "#api/endpoint.ts";
import { textParameter } from "#api/parameters.ts";
import { Url, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { parseVideoUrl } from "../../video-url.ts";

const DownloadVideo = wireObject({ play: Url, play_watermark: Url });

export const downloadVideo = endpoint({
  method: "GET",
  path: "download/video",
  summary: "Video download URLs",
  description:
    "Returns the captured URLs of a post's video file, without and with the platform's watermark. The `url` is only parsed for the post id and never fetched; the platform may have let the returned URLs expire.",
  cost: "lookup",
  input: Type.Object({ url: textParameter("Full URL of the video.", { maxLength: 2048 }) }),
  output: DownloadVideo,
  example: { url: "https://www.tiktok.com/@nora.lindqvist/video/7300000000000000001" },

  async handle(ctx: Context<ShortVideoNatives>, { url }) {
    const parsed = parseVideoUrl(url);
    if ("reason" in parsed) throw parameterError(ctx, "invalid_parameter", "url", parsed.reason);
    const post = await ctx.store.getPost(parsed.id);
    if (post === null) throw new ApiError("post_not_found", `post ${parsed.id} not found`);
    const { video } = post.native;
    return {
      lastModified: post.capturedAt,
      body: { play: video?.playAddr ?? null, play_watermark: video?.downloadAddr ?? null },
    };
  },
});
