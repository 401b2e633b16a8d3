import { Type } from "#api/schema.ts";
import { type Context, endpoint, parameterError } from "#api/endpoint.ts";
import { textParameter } from "#api/parameters.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { UserInfo, userInfoProjection } from "../../shapes/user-info.ts";

const NAME = /^[\p{L}\p{N}_.]{1,40}$/u;

export const userInfoWithRegion = endpoint({
  method: "GET",
  path: "user/info-with-region",
  summary: "Profile with region",
  description: "Returns an account's profile with its counts and, if known, its country.",
  cost: "lookup",
  input: Type.Object({ uniqueId: textParameter("Username, with or without `@`.", { maxLength: 64 }) }),
  output: UserInfo,
  example: { uniqueId: "nora.lindqvist" },

  async handle(ctx: Context<ShortVideoNatives>, { uniqueId }) {
    const name = uniqueId.replace(/^@/, "");
    if (!NAME.test(name)) {
      throw parameterError(
        ctx,
        "invalid_parameter",
        "uniqueId",
        "must be a username of at most 40 letters, digits, dots and underscores",
      );
    }
    const account = await ctx.store.getRenderedAccountByName(name, userInfoProjection);
    if (account === null) throw new ApiError("account_not_found", `account @${name} not found`);
    return { lastModified: account.capturedAt, body: account.body };
  },
});
