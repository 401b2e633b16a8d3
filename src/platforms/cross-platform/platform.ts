import type { CrossPlatformSlice } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";

export const crossPlatform: CrossPlatformSlice = {
  name: "cross-platform",
  title: "Across platforms",
  summary: "Search over all stored data; posts, comments and follows in one shape; charts and the history of counters.",
  endpoints: ENDPOINTS,
};
