/**
 * Responses to YouTube's own pages (player, next, search, browse). Unlike the recogniser, an importer knows the time of
 * capture, without which "3 days ago" cannot be read as a time.
 */
import type { Importer } from "#api/importer.ts";
import { readObject } from "#import/capture/field-readers.ts";
import { isPageResponse, readPageResponse } from "../recognise/response.ts";

export const innertube: Importer = {
  name: "innertube",

  detects(document) {
    const response = document.kind === "json" ? readObject(document.value) : undefined;
    return response !== undefined && isPageResponse(response);
  },

  read(document, _file, collect) {
    const response = readObject(document.value);
    if (response !== undefined) readPageResponse(response, document.capturedAt, collect);
  },
};
