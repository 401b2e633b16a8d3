import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { choiceParameter, integerParameter } from "#api/parameters.ts";
import { Flag, Integer, Text, wireObject } from "#api/wire.ts";
import type { Keyset } from "#domain/page.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { mostLikedFirst, newestFirst } from "../../paging.ts";
import { CursorParameter, VideoIdParameter, parseVideoId } from "../../parameters.ts";
import { CommentItem, commentItemProjection } from "../../shapes/comment.ts";

const PostComments = wireObject({
  alias_comment_deleted: Flag,
  comments: Type.Array(CommentItem),
  cursor: Type.Integer({ description: "Cursor of the next page." }),
  has_more: Type.Integer({ description: "1 if there are more comments." }),
  total: Type.Integer({
    description: "The platform's own count if known, otherwise the number of stored comments at the top level.",
  }),
  status_code: Integer,
  status_msg: Text,
});

export const postComments = endpoint({
  method: "GET",
  path: "post/comments",
  summary: "Comments on a post",
  description:
    "Lists the top-level comments on a post, newest first, or most liked first with `sort=top`. The post itself need not be stored. While `has_more` is 1, request the next page with the returned `cursor`.",
  cost: "list",
  input: Type.Object({
    videoId: VideoIdParameter,
    count: integerParameter({ minimum: 1, maximum: 50, default: 50, description: "Comments per page." }),
    cursor: CursorParameter,
    sort: choiceParameter(["newest", "top"], { default: "newest", description: "Sort order." }),
  }),
  output: PostComments,
  example: { videoId: "7300000000000000001", count: "10" },
  pages: { items: "comments", next: { cursor: "cursor" }, more: "has_more" },

  async handle(ctx: Context<ShortVideoNatives>, { videoId: text, count, cursor, sort }) {
    const videoId = parseVideoId(ctx, text);
    const paging = sort === "top" ? mostLikedFirst : newestFirst;
    const sortKeyOf = ({ at, likes }: Keyset) => (sort === "top" ? { likes: likes ?? -1 } : { at });
    const listPeers = (position: Keyset) => ctx.store.listCommentKeysets(videoId, sortKeyOf(position));
    const after = await paging.toPosition(cursor, listPeers, (position, limit) =>
      ctx.store.listNearestCommentKeysets(videoId, sortKeyOf(position), limit),
    );
    const [post, page] = await Promise.all([
      ctx.store.getPost(videoId),
      ctx.store.listRenderedComments(videoId, sort, { limit: count, after }, commentItemProjection),
    ]);
    if (post === null && page.items.length === 0 && !(await ctx.store.hasComments(videoId))) {
      throw new ApiError("post_not_found", `post ${videoId} not found`);
    }
    return {
      lastModified: latestCapture([post, ...page.items]),
      capturedAt: latestCapture(page.items),
      body: {
        alias_comment_deleted: false,
        comments: page.items.map(({ body }) => body),
        cursor: page.last === undefined ? cursor : await paging.toCursor(page.last, listPeers),
        has_more: page.more ? 1 : 0,
        total: post?.counters.comments ?? (await ctx.store.countComments(videoId)).comments,
        status_code: 0,
        status_msg: "",
      },
    };
  },
});
