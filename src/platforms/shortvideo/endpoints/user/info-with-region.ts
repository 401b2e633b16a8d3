import { fillList } from "#api/define-projection.ts";
import { type Context, endpoint, latestCapture, parameterError } from "#api/endpoint.ts";
import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { isUrl } from "#api/site-url.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { readAccountName } from "../../recognise/account-name.ts";
import { postItemProjection } from "../../shapes/post-item.ts";
import { UserInfo, userInfoProjection, userInfoWithoutContacts } from "../../shapes/user-info.ts";
import { parseSiteUrl } from "../../site-url.ts";

const ID = /^\d{6,24}$/;

/** Enough for a profile: `/api/posts` lists all. */
const NEWEST_POSTS = 6;

export const userInfoWithRegion = endpoint({
  method: "GET",
  path: "user/info-with-region",
  summary: "Profile with region",
  description:
    "Returns an account's profile with its counts, its country if known, and its six newest posts in `itemList`; `/api/posts` lists all of them. E-mail addresses and phone numbers in the signature are hidden, and a link to one is empty, unless the token has the scope `read:personal`.",
  cost: "lookup",
  input: Type.Object({
    uniqueId: textParameter("Username with or without `@`, profile URL, or the account's id.", { maxLength: 512 }),
  }),
  output: UserInfo,
  example: { uniqueId: "nora.lindqvist" },

  async handle(ctx: Context<ShortVideoNatives>, { uniqueId }) {
    const name = parseName(ctx, uniqueId);
    const projection = ctx.personal ? userInfoProjection : userInfoWithoutContacts;
    const account =
      (await ctx.store.getRenderedAccountByName(name, projection)) ??
      // A name may consist of digits too, and takes precedence.
      (ID.test(name) ? await ctx.store.getRenderedAccount(name, projection) : null);
    if (account === null) throw new ApiError("account_not_found", `account @${name} not found`);
    const { items } = await ctx.store.listRenderedPosts(
      "author",
      account.id,
      { limit: NEWEST_POSTS },
      postItemProjection,
    );
    return {
      lastModified: latestCapture([account, ...items]),
      body: fillList(
        account.body,
        "itemList",
        items.map(({ body }) => body),
        (body, itemList) => body && { ...body, userInfo: body.userInfo && { ...body.userInfo, itemList } },
      ),
    };
  },
});

function parseName(ctx: Context<ShortVideoNatives>, text: string): string {
  const target = isUrl(text) ? parseSiteUrl(text.trim()) : null;
  const name = readAccountName(target?.kind === "account" && "name" in target ? target.name : text);
  if (name !== undefined) return name;
  throw parameterError(
    ctx,
    "invalid_parameter",
    "uniqueId",
    "must be a username of at most 64 letters, digits, dots, underscores and hyphens, a profile URL or an id",
  );
}
