import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { WATCHABLE } from "./watchable.ts";
import { SOURCES } from "./sources.ts";
import { followerProjection } from "./shapes/follower.ts";
import { profilePostProjection } from "./shapes/profile-post.ts";
import { profileProjection } from "./shapes/profile.ts";
import { userPostProjection } from "./shapes/user-post.ts";
import { parseSiteUrl, toPostId } from "./site-url.ts";
import { listMedia } from "./media.ts";

export const photoshare: Platform = {
  name: "photoshare",
  title: "Photo-sharing platform",
  summary: "Profiles, followers, posts, tagged posts and hashtags; search.",
  endpoints: ENDPOINTS,
  watchable: WATCHABLE,
  sources: SOURCES,
  shapes: { account: [profileProjection, followerProjection], post: [profilePostProjection, userPostProjection] },
  exportShapes: { account: profileProjection, post: userPostProjection },
  parseSiteUrl,
  toPostId,
  listMedia,
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }, { MAPPABLE }] = await Promise.all([
      import("./importers.ts"),
      import("./recognise.ts"),
      import("./importers/mapped-records.ts"),
    ]);
    return { importers: IMPORTERS, recognise, mappable: MAPPABLE };
  },
};
