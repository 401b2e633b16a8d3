import { Type } from "typebox";
import { type Context, endpoint } from "#api/endpoint.ts";
import { findAccount } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { BioLink, bioLinksOf, toBioLink } from "../shapes/bio-link.ts";

export const getBioLinks = endpoint({
  method: "POST",
  path: "get-bio-links",
  form: "urlencoded",
  summary: "Links of a profile",
  description:
    "The links that an account shows in its profile, in its own order; an empty list when it has none or none are known. `url` is the address itself, `lynx_url` the platform's redirect to it.",
  cost: "lookup",
  input: Type.Object({
    username_or_url: UsernameOrUrlParameter,
    data: Type.Literal("bio_links", { description: "Always `bio_links`." }),
  }),
  output: Type.Array(BioLink),
  example: { username_or_url: "luna.marchetti", data: "bio_links" },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url }) {
    const account = await findAccount(ctx, username_or_url);
    return { lastModified: account.capturedAt, body: bioLinksOf(account.native)?.map(toBioLink) ?? null };
  },
});
