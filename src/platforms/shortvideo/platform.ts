import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { WATCHABLE } from "./watchable.ts";
import { RECORDS } from "./records.ts";
import { SOURCES } from "./sources.ts";
import { commentItemProjection } from "./shapes/comment.ts";
import { postDetailProjection } from "./shapes/post-detail.ts";
import { userInfoWithoutContacts } from "./shapes/user-info.ts";
import type { NativeComment, NativePost } from "./native.ts";
import { parseRecordId, parseSiteUrl } from "./site-url.ts";
import { listMedia } from "./media.ts";

export const shortvideo: Platform = {
  ...RECORDS,
  title: "Short-video platform",
  summary: "Short videos: posts, profiles, comments, sounds, search and rankings.",
  endpoints: ENDPOINTS,
  watchable: WATCHABLE,
  sources: SOURCES,
  exportShapes: {
    account: { record: userInfoWithoutContacts },
    post: { record: postDetailProjection },
    comment: { record: commentItemProjection },
  },
  getAuthorName: ({ author, user }: NativePost & NativeComment) => author?.nickname ?? user?.nickname,
  parseSiteUrl,
  parseRecordId,
  listMedia,
};
