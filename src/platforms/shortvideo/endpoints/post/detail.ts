import { Type } from "#api/schema.ts";
import { type Context, endpoint } from "#api/endpoint.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { VideoIdParameter, parseVideoId } from "../../parameters.ts";
import { PostDetail, postDetailProjection } from "../../shapes/post-detail.ts";

export const postDetail = endpoint({
  method: "GET",
  path: "post/detail",
  summary: "Post details",
  description:
    "Returns a post with its author, counts, video and sound. Here counts and time are strings of digits, as the platform writes them.",
  cost: "lookup",
  input: Type.Object({ videoId: VideoIdParameter }),
  output: PostDetail,
  example: { videoId: "7300000000000000001" },

  async handle(ctx: Context<ShortVideoNatives>, { videoId: text }) {
    const videoId = parseVideoId(ctx, text);
    const post = await ctx.store.getRenderedPost(videoId, postDetailProjection);
    if (post === null) throw new ApiError("post_not_found", `post ${videoId} not found`);
    return { lastModified: post.capturedAt, body: post.body };
  },
});
