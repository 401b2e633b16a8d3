import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { LanguageParameter, PageTokenParameter } from "#api/parameters.ts";
import { Text, wireObject } from "#api/wire.ts";
import { Approximate, countOf } from "#domain/approximate.ts";
import type { Post } from "#domain/post.ts";
import { ApiError } from "#errors";
import type { LongVideoNatives } from "../../native.ts";
import { parseVideoId, VideoIdParameter } from "../../parameters.ts";
import { toVideoComment, VideoComment } from "../../shapes/video-comment.ts";

const PAGE_SIZE = 20;

export const VideoComments = wireObject({
  video_id: Text,
  total_number_of_comments: Type.Integer({
    description:
      "The platform's own count if known, otherwise the number of stored comments at the top level; the larger of both if its count is known only roughly.",
  }),
  total_number_of_likes: Type.Integer({
    description: "Sum of the known likes of the stored comments at the top level.",
  }),
  number_of_comments: Type.Integer({ description: "Number of comments in this response." }),
  continuation_token: NextPageToken,
  comments: Type.Array(VideoComment),
});

/** The count of an extraction is that of its own comments: several extractions may have stored more. */
function countAll(post: Post, stored: number): number | Approximate {
  const comments = countOf(post, "comments") ?? stored;
  return comments instanceof Approximate && comments.value <= stored ? stored : comments;
}

export const videoComments = endpoint({
  method: "GET",
  path: "video/comments",
  summary: "Comments on a video",
  description:
    "Lists the top-level comments on a video, newest first, or most liked first with `sort=top`, 20 per page. The video itself need not be stored. For the next page, send `continuation_token` with the same `video_id` and `sort`; it is empty on the last page. `like_count` and `published_time` are formatted in `lang`.",
  cost: "list",
  input: Type.Object({
    video_id: VideoIdParameter,
    sort: Type.Enum(["newest", "top"], { default: "newest", description: "Sort order." }),
    lang: LanguageParameter,
    continuation_token: PageTokenParameter,
  }),
  output: VideoComments,
  example: { video_id: "demoVideo01" },
  pages: { items: "comments", next: { continuation_token: "continuation_token" } },

  async handle(ctx: Context<LongVideoNatives>, { video_id, sort, lang, continuation_token: token }) {
    const videoId = parseVideoId(ctx, video_id);
    const bound = [videoId, sort];
    const after = verifyPosition(ctx, "continuation_token", bound, token);
    const [post, page, totals] = await Promise.all([
      ctx.store.getPost(videoId),
      ctx.store.listComments(videoId, sort, { limit: PAGE_SIZE, after }),
      ctx.store.countComments(videoId),
    ]);
    if (post === null && totals.comments + totals.replies === 0)
      throw new ApiError("post_not_found", `video ${videoId} not found`);
    const now = Math.floor(ctx.minute() / 1000);
    const language = lang ?? ctx.defaults.language;
    return {
      lastModified: latestCapture([post, ...page.items]),
      capturedAt: latestCapture(page.items),
      body: {
        video_id: videoId,
        total_number_of_comments: post === null ? totals.comments : countAll(post, totals.comments),
        total_number_of_likes: totals.likes,
        number_of_comments: page.items.length,
        continuation_token: nextPageToken(ctx, bound, page),
        comments: page.items.map((comment) => toVideoComment(comment, now, language)),
      },
    };
  },
});
