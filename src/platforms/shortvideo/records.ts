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
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }, { MAPPABLE }] = await Promise.all([
      import("./importers.ts"),
      import("./recognise.ts"),
      import("./importers/mapped-records.ts"),
    ]);
    return { importers: IMPORTERS, recognise, mappable: MAPPABLE };
  },
};
