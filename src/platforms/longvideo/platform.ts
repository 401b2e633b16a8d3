import type { Platform } from "#contract/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { IMPORTERS } from "./importers.ts";
import { recognise } from "./recognise.ts";

export const longvideo: Platform = {
  name: "longvideo",
  title: "Long-video platform",
  summary:
    "Videos with their details, comments and subtitles; search by keyword; trending videos by country and section.",
  endpoints: ENDPOINTS,
  importers: IMPORTERS,
  recognise,
};
