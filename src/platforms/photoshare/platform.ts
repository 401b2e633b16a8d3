import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { followerShape } from "./shapes/follower.ts";
import { profilePostShape } from "./shapes/profile-post.ts";
import { profileShape } from "./shapes/profile.ts";
import { userPostShape } from "./shapes/user-post.ts";

export const photoshare: Platform = {
  name: "photoshare",
  title: "Photo-sharing platform",
  summary: "Profiles, followers, posts, tagged posts and hashtags; search.",
  endpoints: ENDPOINTS,
  shapes: { account: [profileShape, followerShape], post: [profilePostShape, userPostShape] },
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }] = await Promise.all([import("./importers.ts"), import("./recognise.ts")]);
    return { importers: IMPORTERS, recognise };
  },
};
