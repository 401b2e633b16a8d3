import type { Platform } from "#contract/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { IMPORTERS } from "./importers.ts";
import { recognise } from "./recognise.ts";

export const shortvideo: Platform = {
  name: "shortvideo",
  title: "Short video",
  summary: "Short videos: posts, profiles, comments, sounds, search and rankings.",
  endpoints: ENDPOINTS,
  importers: IMPORTERS,
  recognise,
};
