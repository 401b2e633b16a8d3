import type { CrossPlatformSlice } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";

export const crossPlatform: CrossPlatformSlice = {
  name: "cross-platform",
  title: "Across platforms",
  summary: "One search over everything held, and how counters changed from capture to capture.",
  endpoints: ENDPOINTS,
};
