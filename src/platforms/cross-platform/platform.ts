import type { CrossPlatformSlice } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";

export const crossPlatform: CrossPlatformSlice = {
  name: "cross-platform",
  title: "Cross-platform",
  summary: "Search over all stored data, and the history of counters.",
  endpoints: ENDPOINTS,
};
