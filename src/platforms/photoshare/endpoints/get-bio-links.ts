import { Type } from "#api/schema.ts";
import { type Context, endpoint } from "#api/endpoint.ts";
import { findAccount } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { BioLink, listBioLinks, toBioLink } from "../shapes/bio-link.ts";

export const getBioLinks = endpoint({
  method: "POST",
  path: "get-bio-links",
  form: "urlencoded",
  summary: "Profile links",
  description:
    "Lists the links in an account's profile, in the account's own order; the list is empty if there are none or none are known. `url` is the link itself, `lynx_url` the platform's redirect to it. Links to an e-mail address or phone number are empty unless the token has the scope `read:personal`.",
  cost: "lookup",
  input: Type.Object({
    username_or_url: UsernameOrUrlParameter,
    data: Type.Literal("bio_links", { description: "Always `bio_links`." }),
  }),
  output: Type.Array(BioLink),
  example: { username_or_url: "luna.marchetti", data: "bio_links" },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url }) {
    const account = await findAccount(ctx, username_or_url);
    const links = listBioLinks(account.native)?.map((link) => toBioLink(link, ctx.personal)) ?? null;
    return { lastModified: account.capturedAt, body: links };
  },
});
