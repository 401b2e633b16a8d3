import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { integerParameter, PageTokenParameter } from "#api/parameters.ts";
import { getField, withField, withoutField } from "#api/define-projection.ts";
import { wireObject } from "#api/wire.ts";
import { findAccount, getAccountsById, requestedName } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { postUserProjection, UserPost, userPostProjection } from "../shapes/user-post.ts";

export const UserPosts = wireObject({
  posts: Type.Array(wireObject({ node: UserPost })),
  pagination_token: NextPageToken,
});

export const getPosts = endpoint({
  method: "POST",
  path: "get-posts",
  form: "urlencoded",
  summary: "Posts of an account",
  description:
    "Lists the photos, videos and albums of an account, newest first, with captions, counts and media URLs. For the next page, send the returned `pagination_token`; it is empty on the last page.",
  cost: "list",
  input: Type.Object({
    username_or_url: UsernameOrUrlParameter,
    amount: integerParameter({ minimum: 1, maximum: 100, default: 12, description: "Posts per page." }),
    pagination_token: PageTokenParameter,
  }),
  output: UserPosts,
  example: { username_or_url: "luna.marchetti" },
  pages: { items: "posts", next: { pagination_token: "pagination_token" } },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url, amount, pagination_token }) {
    const account = await findAccount(ctx, username_or_url);
    const requested = requestedName(ctx, username_or_url);
    const after = verifyPosition(ctx, "pagination_token", [requested], pagination_token);
    const page = await ctx.store.listRenderedPosts("author", account.id, { limit: amount, after }, userPostProjection);
    // Only posts of several authors have their own.
    const authorIds = page.items.map(({ body }) => {
      const pk = getField(body, "user")?.pk;
      return typeof pk === "string" ? pk : "";
    });
    const authors = await getAccountsById(
      ctx,
      authorIds.filter((id) => id !== "" && id !== account.id),
    );
    return {
      lastModified: latestCapture([account, ...page.items, ...authors.values()]),
      body: {
        posts: page.items.map(({ body }, index) => {
          const id = authorIds[index] ?? "";
          const author = id === account.id ? account : authors.get(id);
          const open = author === undefined ? body : withoutField(body, "user");
          return { node: withField(open, "user", postUserProjection, author ?? account) };
        }),
        pagination_token: nextPageToken(ctx, [requested], page),
      },
    };
  },
});
