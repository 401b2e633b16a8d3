import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { commentItemShape } from "./shapes/comment.ts";
import { postDetailShape } from "./shapes/post-detail.ts";
import { postItemShape } from "./shapes/post-item.ts";
import { userInfoShape } from "./shapes/user-info.ts";

export const shortvideo: Platform = {
  name: "shortvideo",
  title: "Short-video platform",
  summary: "Short videos: posts, profiles, comments, sounds, search and rankings.",
  endpoints: ENDPOINTS,
  shapes: { account: [userInfoShape], post: [postItemShape, postDetailShape], comment: [commentItemShape] },
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }] = await Promise.all([import("./importers.ts"), import("./recognise.ts")]);
    return { importers: IMPORTERS, recognise };
  },
};
