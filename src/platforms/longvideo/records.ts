import type { PlatformRecords } from "#api/platform.ts";
import { videoDetailsProjection } from "./shapes/video-record.ts";

export const RECORDS: PlatformRecords = {
  name: "longvideo",
  shapes: { post: [videoDetailsProjection] },
  loadImporters: async () => (await import("./importers.ts")).IMPORT_SUPPORT,
};
