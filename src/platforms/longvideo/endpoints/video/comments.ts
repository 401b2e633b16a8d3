import { Type } from "typebox";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { LanguageParameter, PageTokenParameter } from "#api/parameters.ts";
import { Text, wireObject } from "#api/wire.ts";
import type { Keyset } from "#domain/page.ts";
import { ApiError } from "#errors";
import { resumeFrom } from "../../continuation.ts";
import type { LongVideoNatives } from "../../native.ts";
import { VideoIdParameter } from "../../parameters.ts";
import { toVideoComment, VideoComment } from "../../shapes/video-comment.ts";

const PAGE_SIZE = 20;

export const VideoComments = wireObject({
  video_id: Text,
  total_number_of_comments: Type.Integer({
    description: "The platform's own number where known, else the number held.",
  }),
  total_number_of_likes: Type.Integer({
    description: "Sum of the known likes of all comments held of the video.",
  }),
  number_of_comments: Type.Integer({ description: "Comments in this answer." }),
  continuation_token: Type.String({ description: "For the next page; empty at the end." }),
  comments: Type.Array(VideoComment),
});

/** Of the last comment of the page before. */
function isPosition({ at, id }: Partial<Record<keyof Keyset, unknown>>): boolean {
  return Number.isInteger(at) && typeof id === "string";
}

export const videoComments = endpoint({
  method: "GET",
  path: "video/comments",
  summary: "Comments below a video",
  description:
    "Top-level comments, newest first or, with `sort=top`, most liked first, twenty to a page. For the next page send `continuation_token` with the same `video_id` and `sort`; it is empty on the last page. `like_count` and `published_time` are texts in `lang`.",
  cost: "list",
  input: Type.Object({
    video_id: VideoIdParameter,
    sort: Type.Enum(["newest", "top"], {
      default: "newest",
      description: "Order of the comments.",
    }),
    lang: LanguageParameter,
    continuation_token: PageTokenParameter,
  }),
  output: VideoComments,
  example: { video_id: "demoVideo01" },

  async handle(ctx: Context<LongVideoNatives>, { video_id: videoId, sort, lang, continuation_token: token }) {
    const bound = [videoId, sort];
    const after = resumeFrom<Keyset>(ctx, isPosition, bound, token);
    const post = await ctx.store.getPost(videoId);
    if (post === null) throw new ApiError("post_not_found", `no video ${videoId} is held`);
    const [page, held] = await Promise.all([
      ctx.store.listComments(videoId, sort, { limit: PAGE_SIZE, after }),
      ctx.store.countComments(videoId),
    ]);
    const now = Math.floor(ctx.minute() / 1000);
    const language = lang ?? ctx.defaults.language;
    return {
      lastModified: latestCapture([post, ...page.items]),
      body: {
        video_id: videoId,
        total_number_of_comments: post.counters.comments ?? held.comments,
        total_number_of_likes: held.likes,
        number_of_comments: page.items.length,
        continuation_token: page.more && page.last !== undefined ? ctx.cursors.sign(bound, page.last) : "",
        comments: page.items.map((comment) => toVideoComment(comment, now, language)),
      },
    };
  },
});
