import { Type } from "typebox";
import { type Context, endpoint, parameterError } from "#api/endpoint.ts";
import { textParameter } from "#api/parameters.ts";
import { Url, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { readVideoAddress } from "../../video-url.ts";

export const DownloadVideo = wireObject({ play: Url, play_watermark: Url });

export const downloadVideo = endpoint({
  method: "GET",
  path: "download/video",
  summary: "Where a video file is",
  description:
    "The addresses of a held post's video file, without and with the platform's watermark, as they were captured. The `url` is read for its id and never fetched; the platform may have let the addresses expire.",
  cost: "lookup",
  input: Type.Object({ url: textParameter("Full address of the video.", { maxLength: 2048 }) }),
  output: DownloadVideo,
  example: { url: "https://www.tiktok.com/@nora.lindqvist/video/7300000000000000001" },

  async handle(ctx: Context<ShortVideoNatives>, { url }) {
    const address = readVideoAddress(url);
    if ("reason" in address) throw parameterError(ctx, "invalid_parameter", "url", address.reason);
    const post = await ctx.store.getPost(address.id);
    if (post === null) throw new ApiError("post_not_found", `no post ${address.id} is held`);
    const { video } = post.native;
    return {
      asOf: post.capturedAt,
      body: { play: video?.playAddr ?? null, play_watermark: video?.downloadAddr ?? null },
    };
  },
});
