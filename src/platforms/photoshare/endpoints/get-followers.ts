import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { integerParameter, PageTokenParameter } from "#api/parameters.ts";
import { wireObject } from "#api/wire.ts";
import { findAccount, requestedName } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { Follower, followerProjection, toFollower } from "../shapes/follower.ts";

export const Followers = wireObject({
  users: Type.Array(Follower),
  pagination_token: NextPageToken,
  count: Type.Integer({
    description: "Total followers: the platform's own count if known, otherwise the number of stored followers.",
  }),
});

export const getFollowers = endpoint({
  method: "POST",
  path: "get-followers",
  form: "urlencoded",
  summary: "Followers of an account",
  description:
    "Lists the accounts that follow an account, newest first. For the next page, send the returned `pagination_token`; it is empty on the last page. `count` may be larger than the number of followers that can be listed.",
  cost: "list",
  countsList: true,
  input: Type.Object({
    username_or_url: UsernameOrUrlParameter,
    data: Type.Literal("followers", { description: "Always `followers`." }),
    amount: integerParameter({ minimum: 1, maximum: 50, default: 12, description: "Followers per page." }),
    pagination_token: PageTokenParameter,
  }),
  output: Followers,
  example: { username_or_url: "luna.marchetti", data: "followers" },
  pages: { items: "users", next: { pagination_token: "pagination_token" } },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url, amount, pagination_token }) {
    const account = await findAccount(ctx, username_or_url);
    const requested = requestedName(ctx, username_or_url);
    const after = verifyPosition(ctx, "pagination_token", [requested], pagination_token);
    const page = await ctx.store.listRenderedFollowers(account.id, { limit: amount, after }, followerProjection);
    return {
      lastModified: latestCapture([account, ...page.items, ...page.items.map((follow) => follow.account)]),
      body: {
        users: page.items.map((follow) => follow.account?.body ?? toFollower(follow.followerId, null)),
        pagination_token: nextPageToken(ctx, [requested], page),
        count: account.counters.followers ?? (await ctx.store.countFollowers(account.id)),
      },
    };
  },
});
