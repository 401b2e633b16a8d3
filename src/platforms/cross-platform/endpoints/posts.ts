import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { integerParameter, PageTokenParameter } from "#api/parameters.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import { AccountParameter, findAccount, requestedAccount, traitsOf } from "../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../platform-parameter.ts";
import { AccountSummary, toAccountSummary } from "../shapes/account.ts";
import { StoredCount } from "../shapes/stored-count.ts";
import { PostSummary, toPostSummary } from "../shapes/post.ts";

const AccountPosts = wireObject({
  platform: Text,
  account: nullable(AccountSummary),
  total: Type.Integer({ description: "Number of stored posts of the account; the same as `stored`." }),
  ...StoredCount,
  posts: Type.Array(PostSummary),
  continuation_token: NextPageToken,
});

export const posts = endpoint({
  method: "GET",
  path: "posts",
  summary: "Posts of an account on any platform",
  description:
    "Lists the stored posts of one account, newest first, in the same shape for every platform. `account` is null if only posts of it are stored. Unknown values are null, and `counters` contains only known ones. For the next page, send `continuation_token` with the same `platform` and `account`; it is empty on the last page.",
  cost: "list",
  input: Type.Object({
    platform: PlatformParameter,
    account: AccountParameter,
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Posts per page." }),
    continuation_token: PageTokenParameter,
  }),
  output: AccountPosts,
  example: { platform: "photoshare", account: "luna.marchetti" },
  pages: { items: "posts", next: { continuation_token: "continuation_token" } },

  async handle(ctx: CrossPlatformContext, { platform: name, account: text, limit, continuation_token: token }) {
    const { platform, store } = resolvePlatform(ctx, name);
    const account = await findAccount(ctx, { platform, store }, "account", text);
    // Posts may be stored without the account of their author.
    const authorId = account?.id ?? text;
    const bound = [platform, requestedAccount(ctx, platform, "account", text, account)];
    const after = verifyPosition(ctx, "continuation_token", bound, token);
    const [page, total] = await Promise.all([
      store.listPosts("author", authorId, { limit, after }),
      store.countPosts("author", authorId),
    ]);
    if (account === null && total === 0) throw new ApiError("account_not_found", `account ${text} not found`);
    const traits = traitsOf(ctx, platform);
    return {
      lastModified: latestCapture([account, ...page.items]),
      body: {
        platform,
        account: account === null ? null : toAccountSummary(platform, account, ctx),
        total,
        stored: total,
        platform_total: account?.counters.posts ?? null,
        posts: page.items.map((post) => toPostSummary(platform, post, traits.listMedia(post))),
        continuation_token: nextPageToken(ctx, bound, page),
      },
    };
  },
});
