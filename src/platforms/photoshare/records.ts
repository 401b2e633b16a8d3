import type { PlatformRecords } from "#api/platform.ts";
import { followerProjection } from "./shapes/follower.ts";
import { profilePostProjection } from "./shapes/profile-post.ts";
import { profileProjection } from "./shapes/profile.ts";
import { userPostProjection } from "./shapes/user-post.ts";

export const RECORDS: PlatformRecords = {
  name: "photoshare",
  shapes: { account: [profileProjection, followerProjection], post: [profilePostProjection, userPostProjection] },
  loadImporters: async () => (await import("./importers.ts")).IMPORT_SUPPORT,
};
