import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type CrossPlatformContext } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { choiceParameter, integerParameter, PageTokenParameter } from "#api/parameters.ts";
import { nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import { platformId } from "#domain/provisional-id.ts";
import { ApiError } from "#errors";
import { AccountParameter, findAccount, requestedAccount } from "../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../platform-parameter.ts";
import { StoredCount } from "../shapes/stored-count.ts";
import { CaptureTime, toCaptureTime } from "../shapes/capture-time.ts";

const DIRECTIONS = ["followers", "following"] as const;

const Follows = wireObject({
  platform: Text,
  account_id: NullableText,
  account_name: NullableText,
  direction: Type.Enum([...DIRECTIONS]),
  ...StoredCount,
  accounts: Type.Array(
    wireObject({
      id: nullable(Type.String({ description: "The platform's own id; null if only the name is known." })),
      name: nullable(Type.String({ description: "Null if the account itself is not stored." })),
      display_name: NullableText,
      since: nullable(Type.Integer({ description: "Unix seconds, if known." })),
      captured_at: CaptureTime,
      source: Type.String({ description: "Tool or format that it was captured with." }),
    }),
  ),
  continuation_token: NextPageToken,
});

export const follows = endpoint({
  method: "GET",
  path: "follows",
  summary: "Followers of an account, or whom it follows",
  description:
    "Lists the stored followers of one account, or with `direction=following` the accounts that it follows, newest first, on every platform. For the next page, send `continuation_token` with the same parameters; it is empty on the last page.",
  cost: "list",
  countsList: true,
  input: Type.Object({
    platform: PlatformParameter,
    account: AccountParameter,
    direction: choiceParameter(DIRECTIONS, { default: "followers", description: "Which side to list." }),
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Accounts per page." }),
    continuation_token: PageTokenParameter,
  }),
  output: Follows,
  example: { platform: "photoshare", account: "luna.marchetti" },
  pages: { items: "accounts", next: { continuation_token: "continuation_token" } },

  async handle(ctx: CrossPlatformContext, { platform: name, account: text, direction, limit, ...input }) {
    const { platform, store } = resolvePlatform(ctx, name);
    const account = await findAccount(ctx, { platform, store }, "account", text);
    // Follows may be stored without the account itself.
    const accountId = account?.id ?? text;
    const bound = [platform, requestedAccount(ctx, platform, "account", text, account), direction];
    const after = verifyPosition(ctx, "continuation_token", bound, input.continuation_token);
    const isFollowers = direction === "followers";
    const [page, stored] = await Promise.all(
      isFollowers
        ? [store.listFollowers(accountId, { limit, after }), store.countFollowers(accountId)]
        : [store.listFollowing(accountId, { limit, after }), store.countFollowing(accountId)],
    );
    if (account === null && page.items.length === 0 && after === undefined)
      throw new ApiError("account_not_found", `account ${text} not found`);
    const others = page.items.map((follow) => (isFollowers ? follow.followerId : follow.accountId));
    const known = await store.getAccounts([...new Set(others)]);
    const byId = new Map(known.map((one) => [one.id, one]));
    return {
      lastModified: latestCapture([account, ...page.items, ...known]),
      body: {
        platform,
        account_id: platformId(accountId),
        account_name: account?.name ?? null,
        direction,
        stored,
        platform_total: account?.counters[direction] ?? null,
        accounts: page.items.map(({ since, capturedAt, source }, index) => {
          const id = others[index] ?? "";
          const other = byId.get(id);
          return {
            id: platformId(id),
            name: other?.name ?? null,
            display_name: other?.displayName ?? null,
            since,
            captured_at: toCaptureTime(capturedAt),
            source,
          };
        }),
        continuation_token: nextPageToken(ctx, bound, page),
      },
    };
  },
});
