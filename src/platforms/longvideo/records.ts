import type { PlatformRecords } from "#api/platform.ts";
import { videoDetailsProjection } from "./shapes/video-record.ts";

export const RECORDS: PlatformRecords = {
  name: "longvideo",
  shapes: { post: [videoDetailsProjection] },
  async loadImporters() {
    const [{ IMPORTERS }, { recognise }, { MAPPABLE }] = await Promise.all([
      import("./importers.ts"),
      import("./recognise.ts"),
      import("./importers/mapped-records.ts"),
    ]);
    return { importers: IMPORTERS, recognise, mappable: MAPPABLE };
  },
};
