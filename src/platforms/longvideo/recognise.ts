/**
 * Finds YouTube's own objects in any document: Data API resources by their `kind`, page objects by shape. Page responses
 * are read as a whole, since their comments do not name their video.
 */
import type { Recogniser } from "#api/importer.ts";
import { readObjects } from "#import/capture/field-readers.ts";
import { EVIDENCE } from "./evidence.ts";
import { keepOwnSite } from "#import/capture/own-site.ts";
import { readSubjectVideo } from "./importers/id-forms.ts";
import { readVideoRow } from "./importers/video-tables.ts";
import { isPageResponse, readPageResponse } from "./recognise/response.ts";
import { recogniseErrorDocument, recogniseResource } from "./recognise/data-api.ts";
import { recognisePageObject } from "./recognise/page-objects.ts";

export const recognise: Recogniser = keepOwnSite(
  EVIDENCE,
  (_walk, context) => context,
  (object, collect, walk, { capturedAt = null, file }) => {
    const videoId = readSubjectVideo(file);
    if (recogniseResource(object, collect, walk, videoId)) return true;
    if (isPageResponse(object)) {
      readPageResponse(object, capturedAt, collect, videoId);
      return true;
    }
    if (!recognisePageObject(object, { capturedAt, videoId }, collect)) return recogniseErrorDocument(object, collect);
    // ytdl-core has the page's responses, or only the related videos in them, beside what it made of them.
    for (const part of [object["player_response"], object["response"]]) walk(part);
    for (const row of readObjects(object["related_videos"])) readVideoRow(row, capturedAt, collect);
    return true;
  },
);
