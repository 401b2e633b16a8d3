import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { wireObject } from "#api/wire.ts";
import { findRenderedAccount } from "../find-account.ts";
import type { PhotoShareNatives } from "../native.ts";
import { UsernameOrUrlParameter } from "../parameters.ts";
import { ProfilePost, profilePostProjection } from "../shapes/profile-post.ts";
import { Profile, profileProjection } from "../shapes/profile.ts";

const ProfileWithPosts = wireObject({
  user_data: Profile,
  user_posts: Type.Array(wireObject({ node: ProfilePost })),
});

const NEWEST_POSTS = 12;

export const getProfile = endpoint({
  method: "GET",
  path: "get-profile",
  summary: "Profile with latest posts",
  description:
    "Returns an account with its counts, and its twelve latest posts with code, id and pictures. For more posts use get-posts; for everything known about the account use get-profile-v2.",
  cost: "lookup",
  input: Type.Object({ username_or_url: UsernameOrUrlParameter }),
  output: ProfileWithPosts,
  example: { username_or_url: "luna.marchetti" },

  async handle(ctx: Context<PhotoShareNatives>, { username_or_url }) {
    const account = await findRenderedAccount(ctx, username_or_url, profileProjection);
    const { items: posts } = await ctx.store.listRenderedPosts(
      "author",
      account.id,
      { limit: NEWEST_POSTS },
      profilePostProjection,
    );
    return {
      lastModified: latestCapture([account, ...posts]),
      body: {
        user_data: account.body,
        user_posts: posts.map(({ body }) => ({ node: body })),
      },
    };
  },
});
