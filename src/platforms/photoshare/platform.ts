import type { Platform } from "#contract/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { IMPORTERS } from "./importers.ts";
import { recognise } from "./recognise.ts";

export const photoshare: Platform = {
  name: "photoshare",
  title: "Photo-sharing platform",
  summary: "Profiles, followers, posts, tagged posts and hashtags of the photo-sharing platform, and search over them.",
  endpoints: ENDPOINTS,
  importers: IMPORTERS,
  recognise,
};
