import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { WATCHABLE } from "./watchable.ts";
import { RECORDS } from "./records.ts";
import { SOURCES } from "./sources.ts";
import { profileProjection } from "./shapes/profile.ts";
import { postUserProjection, userPostProjection } from "./shapes/user-post.ts";
import type { NativeComment, NativePost } from "./native.ts";
import { parseRecordId, parseSiteUrl, toPostId } from "./site-url.ts";
import { listMedia } from "./media.ts";

export const photoshare: Platform = {
  ...RECORDS,
  title: "Photo-sharing platform",
  summary: "Profiles, followers, posts, tagged posts and hashtags; search.",
  endpoints: ENDPOINTS,
  watchable: WATCHABLE,
  sources: SOURCES,
  exportShapes: {
    account: { record: profileProjection },
    post: { record: userPostProjection, author: { field: "user", projection: postUserProjection } },
  },
  getAuthorName: ({ user }: NativePost | NativeComment) => user?.full_name,
  parseSiteUrl,
  parseRecordId,
  toPostId,
  listMedia,
};
