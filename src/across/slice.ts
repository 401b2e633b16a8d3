import type { SpanningSlice } from "#contract/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";

export const across: SpanningSlice = {
  name: "across",
  title: "Across platforms",
  summary: "One search over everything held, and how counters changed from capture to capture.",
  endpoints: ENDPOINTS,
};
