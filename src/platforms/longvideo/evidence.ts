/** Marks of YouTube's records: the forms of its ids, the `kind` of its API and the parts of its pages. */
import { isFields } from "#import/capture/field-readers.ts";
import type { SiteEvidence } from "#import/capture/own-site.ts";
import { isChannelId, readIssuedId } from "./importers/id-forms.ts";

const VIDEO_NAMES: ReadonlySet<string> = new Set(["id", "videoId", "video_id", "contentId", "externalVideoId"]);

export const EVIDENCE: SiteEvidence = {
  site: "longvideo",
  isOwn(name, value) {
    if (typeof value === "string") {
      if (name === "kind") return value.startsWith("youtube#");
      // Other sites have ids of eleven digits.
      return (VIDEO_NAMES.has(name) && readIssuedId(value) !== undefined && /\D/.test(value)) || isChannelId(value);
    }
    return name === "responseContext" && isFields(value);
  },
};
