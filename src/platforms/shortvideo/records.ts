import type { PlatformRecords } from "#api/platform.ts";
import { commentItemProjection } from "./shapes/comment.ts";
import { postDetailProjection } from "./shapes/post-detail.ts";
import { postItemProjection } from "./shapes/post-item.ts";
import { userInfoProjection } from "./shapes/user-info.ts";

export const RECORDS: PlatformRecords = {
  name: "shortvideo",
  shapes: {
    account: [userInfoProjection],
    post: [postItemProjection, postDetailProjection],
    comment: [commentItemProjection],
  },
  loadImporters: async () => (await import("./importers.ts")).IMPORT_SUPPORT,
};
