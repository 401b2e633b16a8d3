import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { WATCHABLE } from "./watchable.ts";
import { SOURCES } from "./sources.ts";
import { commentItemProjection } from "./shapes/comment.ts";
import { postDetailProjection } from "./shapes/post-detail.ts";
import { postItemProjection } from "./shapes/post-item.ts";
import { userInfoProjection, userInfoWithoutContacts } from "./shapes/user-info.ts";
import { parseSiteUrl } from "./site-url.ts";
import { listMedia } from "./media.ts";

export const shortvideo: Platform = {
  name: "shortvideo",
  title: "Short-video platform",
  summary: "Short videos: posts, profiles, comments, sounds, search and rankings.",
  endpoints: ENDPOINTS,
  watchable: WATCHABLE,
  sources: SOURCES,
  shapes: {
    account: [userInfoProjection],
    post: [postItemProjection, postDetailProjection],
    comment: [commentItemProjection],
  },
  exportShapes: { account: userInfoWithoutContacts, post: postDetailProjection, comment: commentItemProjection },
  parseSiteUrl,
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
