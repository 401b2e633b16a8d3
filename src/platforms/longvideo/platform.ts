import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { videoDetailsShape } from "./shapes/video-record.ts";

export const longvideo: Platform = {
  name: "longvideo",
  title: "Long-video platform",
  summary:
    "Videos with their details, comments and subtitles; search by keyword; trending videos by country and section.",
  endpoints: ENDPOINTS,
  shapes: { post: [videoDetailsShape] },
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }] = await Promise.all([import("./importers.ts"), import("./recognise.ts")]);
    return { importers: IMPORTERS, recognise };
  },
};
