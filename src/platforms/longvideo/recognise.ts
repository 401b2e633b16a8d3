/**
 * The platform's own objects in any document: resources of the Data API by their `kind`, and the objects of its pages
 * by shape. Answers of pages are read as a whole, since their comments do not say themselves which video they are of.
 */
import type { Recogniser } from "#api/importer.ts";
import { isAnswer, readAnswer } from "./recognise/response.ts";
import { recogniseErrorDocument, recogniseResource } from "./recognise/data-api.ts";
import { recognisePageObject } from "./recognise/page-objects.ts";

export const recognise: Recogniser = (object, collect, walk) => {
  if (recogniseResource(object, collect, walk)) return true;
  if (isAnswer(object)) {
    readAnswer(object, null, collect);
    return true;
  }
  return recognisePageObject(object, {}, collect) || recogniseErrorDocument(object, collect);
};
