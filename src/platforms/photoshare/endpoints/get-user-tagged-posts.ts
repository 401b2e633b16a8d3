import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { integerParameter, PageTokenParameter } from "#api/parameters.ts";
import { wireObject } from "#api/wire.ts";
import { findAccount, getAccountsById, listAuthorIds, requestedName } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { TaggedPost, toTaggedPost } from "../shapes/tagged-post.ts";

export const TaggedPosts = wireObject({
  tagged_posts: Type.Array(
    wireObject({
      node: TaggedPost,
      cursor: Type.String({ description: "A `pagination_token` that continues after this post." }),
    }),
  ),
  pagination_token: NextPageToken,
});

export const getUserTaggedPosts = endpoint({
  method: "POST",
  path: "get-user-tagged-posts",
  form: "multipart",
  summary: "Posts that tag an account",
  description:
    "Lists the posts that tag the account, newest first. For the next page, send the returned `pagination_token`; it is empty on the last page. The `cursor` of a post is also such a token and continues right after that post.",
  cost: "list",
  input: Type.Object({
    username_or_url: UsernameOrUrlParameter,
    amount: integerParameter({ minimum: 1, maximum: 100, default: 30, description: "Posts per page." }),
    pagination_token: PageTokenParameter,
  }),
  output: TaggedPosts,
  example: { username_or_url: "luna.marchetti" },
  pages: { items: "tagged_posts", next: { pagination_token: "pagination_token" } },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url, amount, pagination_token }) {
    const account = await findAccount(ctx, username_or_url);
    const requested = requestedName(ctx, username_or_url);
    const after = verifyPosition(ctx, "pagination_token", [requested], pagination_token);
    const page = await ctx.store.listPosts("tagged", account.id, { limit: amount, after });
    const authors = await getAccountsById(ctx, listAuthorIds(page.items));
    return {
      lastModified: latestCapture([account, ...page.items, ...authors.values()]),
      body: {
        tagged_posts: page.items.map((post) => ({
          node: toTaggedPost(post, authors.get(post.authorId ?? "") ?? null),
          cursor: ctx.cursors.sign([requested], { at: post.publishedAt ?? 0, id: post.id }),
        })),
        pagination_token: nextPageToken(ctx, [requested], page),
      },
    };
  },
});
