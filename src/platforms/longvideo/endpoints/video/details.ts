import { Type } from "typebox";
import { type Context, endpoint } from "#api/endpoint.ts";
import { ApiError } from "#errors";
import type { LongVideoNatives } from "../../native.ts";
import { VideoIdParameter } from "../../parameters.ts";
import { VideoDetails, videoDetailsShape } from "../../shapes/video-record.ts";

export const videoDetails = endpoint({
  method: "GET",
  path: "video/details",
  summary: "One video with full details",
  description:
    "The video record at the top level of the answer. Here `video_length` holds seconds as a digit string, `is_live_content` the word `true` or `false`, and `published_time` a date; search and trending write the same fields as clock text, null and relative text.",
  cost: "lookup",
  input: Type.Object({ video_id: VideoIdParameter }),
  output: VideoDetails,
  example: { video_id: "demoVideo01" },

  async handle(ctx: Context<LongVideoNatives>, { video_id: videoId }) {
    const post = await ctx.store.getRenderedPost(videoId, videoDetailsShape);
    if (post === null) throw new ApiError("post_not_found", `no video ${videoId} is held`);
    return { lastModified: post.capturedAt, body: post.body };
  },
});
