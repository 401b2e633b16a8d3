import { Type } from "#api/schema.ts";
import { type Context, endpoint } from "#api/endpoint.ts";
import { ApiError } from "#errors";
import type { LongVideoNatives } from "../../native.ts";
import { parseVideoId, VideoIdParameter } from "../../parameters.ts";
import { VideoDetails, videoDetailsProjection } from "../../shapes/video-record.ts";

export const videoDetails = endpoint({
  method: "GET",
  path: "video/details",
  summary: "Video details",
  description:
    "Returns one video. Here `video_length` is the number of seconds as a string, `is_live_content` is the string `true` or `false`, and `published_time` is a date; in search and trending the same fields are clock text, null and relative text.",
  cost: "lookup",
  input: Type.Object({ video_id: VideoIdParameter }),
  output: VideoDetails,
  example: { video_id: "demoVideo01" },

  async handle(ctx: Context<LongVideoNatives>, { video_id }) {
    const videoId = parseVideoId(ctx, video_id);
    const post = await ctx.store.getRenderedPost(videoId, videoDetailsProjection);
    if (post === null) throw new ApiError("post_not_found", `video ${videoId} not found`);
    return { lastModified: post.capturedAt, body: post.body };
  },
});
