import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { choiceParameter, integerParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import { findCommentedPostId, findPost, traitsOf } from "../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../platform-parameter.ts";
import { AccountSummary, toAccountSummary } from "../shapes/account.ts";
import { CommentSummary, toCommentSummary } from "../shapes/comment.ts";
import { StoredCount } from "../shapes/stored-count.ts";
import { PostSummary, toPostSummary, toUnknownPost } from "../shapes/post.ts";

const PostWithComments = wireObject({
  platform: Text,
  post: PostSummary,
  author: nullable(AccountSummary),
  total_comments: Type.Integer({
    description: "The platform's own count if known, otherwise the number of stored comments at the top level.",
  }),
  ...StoredCount,
  stored: Type.Integer({ description: "Number of stored comments, replies included, as platforms count them." }),
  comments: Type.Array(CommentSummary),
  continuation_token: NextPageToken,
});

export const post = endpoint({
  method: "GET",
  path: "post",
  summary: "A post of any platform with its comments",
  description:
    "Returns one post with its author and a page of its comments, in the same shape for every platform: those at the top level, newest first, or most liked first with `sort=top`; with `replies_to`, the replies to one comment, oldest first; with `comment`, that comment alone. For the next page of comments, send `continuation_token` with the same parameters; it is empty on the last page. A post of which only comments are stored has every other field unknown, and no `captured_at`.",
  cost: "list",
  input: Type.Object({
    platform: PlatformParameter,
    id: textParameter("Id of the post, its URL on the platform's site, or the code in that URL.", {
      maxLength: 2_048,
    }),
    sort: choiceParameter(["newest", "top"], { default: "newest", description: "Order of the comments." }),
    replies_to: Type.Optional(textParameter("Id of a comment: lists the replies to it.")),
    comment: Type.Optional(textParameter("Id of a comment or reply: lists it alone, or nothing if it is not stored.")),
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Comments per page." }),
    continuation_token: PageTokenParameter,
  }),
  output: PostWithComments,
  example: { platform: "photoshare", id: "3382845430393690647" },
  pages: { items: "comments", next: { continuation_token: "continuation_token" } },

  async handle(ctx: CrossPlatformContext, { platform: name, id: text, sort, replies_to, comment, limit, ...input }) {
    const { platform, store } = resolvePlatform(ctx, name);
    const found = await findPost(ctx, { platform, store }, text);
    const id = found?.id ?? (await findCommentedPostId(ctx, { platform, store }, text));
    if (id === null) throw new ApiError("post_not_found", `post ${text} not found`);
    const bound = [platform, id, sort, replies_to ?? "", ...(comment === undefined ? [] : [comment])];
    const after = verifyPosition(ctx, "continuation_token", bound, input.continuation_token);
    const [page, stored, parent] = await Promise.all([
      comment !== undefined
        ? store.getComment(id, comment).then((one) => ({ items: one === null ? [] : [one], more: false }))
        : replies_to === undefined
          ? store.listComments(id, sort, { limit, after })
          : store.listReplies(id, replies_to, { limit, after }),
      store.countComments(id),
      replies_to === undefined || comment !== undefined ? null : store.getComment(id, replies_to),
    ]);
    const isIncomplete = after === undefined && !page.more && (parent?.counters.replies ?? 0) > page.items.length;
    const authorIds = [found, ...page.items].flatMap((record) => record?.authorId ?? []);
    const accounts = await store.getAccounts([...new Set(authorIds)]);
    const authors = new Map(accounts.map((account) => [account.id, account]));
    const author = authors.get(found?.authorId ?? "");
    return {
      lastModified: latestCapture([found, ...page.items, ...accounts]),
      // A live source is asked for a post or replies that are not stored.
      capturedAt:
        isIncomplete || found === null
          ? null
          : Math.min(found.capturedAt, latestCapture(page.items) ?? found.capturedAt),
      body: {
        platform,
        post:
          found === null
            ? toUnknownPost(platform, id)
            : toPostSummary(platform, found, traitsOf(ctx, platform).listMedia(found)),
        author: author === undefined ? null : toAccountSummary(platform, author, ctx),
        total_comments: found?.counters.comments ?? stored.comments,
        stored: stored.comments + stored.replies,
        platform_total: found?.counters.comments ?? null,
        comments: page.items.map((one) => toCommentSummary(one, authors.get(one.authorId ?? ""))),
        continuation_token: nextPageToken(ctx, bound, page),
      },
    };
  },
});
