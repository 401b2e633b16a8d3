import { Type } from "#api/schema.ts";
import { type Context, endpoint } from "#api/endpoint.ts";
import { findAccount } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { ProfileV2, toProfileV2 } from "../shapes/profile-v2.ts";

export const getProfileV2 = endpoint({
  method: "POST",
  path: "get-profile-v2",
  form: "urlencoded",
  summary: "Full profile",
  description:
    "Returns everything known about an account in one flat object: biography, links, category, counts and flags. Street, postal code, links to an e-mail address or phone number, and the addresses and numbers found in the biography are empty unless the token has the scope `read:personal`.",
  cost: "lookup",
  input: Type.Object({ username_or_url: UsernameOrUrlParameter }),
  output: ProfileV2,
  example: { username_or_url: "luna.marchetti" },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url }) {
    const account = await findAccount(ctx, username_or_url);
    return { lastModified: account.capturedAt, body: toProfileV2(account, ctx.personal) };
  },
});
