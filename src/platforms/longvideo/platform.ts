import type { Platform } from "#api/platform.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { WATCHABLE } from "./watchable.ts";
import { RECORDS } from "./records.ts";
import { SOURCES } from "./sources.ts";
import { videoDetailsProjection } from "./shapes/video-record.ts";
import type { NativeComment, NativeVideo } from "./native.ts";
import { parseRecordId, parseSiteUrl } from "./site-url.ts";
import { listMedia } from "./media.ts";

export const longvideo: Platform = {
  ...RECORDS,
  title: "Long-video platform",
  summary: "Videos with details, comments and subtitles; search; trending videos by country and section.",
  endpoints: ENDPOINTS,
  watchable: WATCHABLE,
  sources: SOURCES,
  exportShapes: { post: { record: videoDetailsProjection } },
  getAuthorName: ({ channelTitle, authorName }: NativeVideo & NativeComment) => channelTitle ?? authorName,
  parseSiteUrl,
  parseRecordId,
  listMedia,
};
