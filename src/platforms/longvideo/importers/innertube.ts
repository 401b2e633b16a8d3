/** Responses to YouTube's own pages (player, next, search, browse). */
import type { Importer } from "#api/importer.ts";
import { readObject } from "#import/capture/field-readers.ts";
import { readSubjectVideo } from "./id-forms.ts";
import { isPageResponse, readPageResponse } from "../recognise/response.ts";

export const innertube: Importer = {
  name: "innertube",

  detects(document) {
    const response = document.kind === "json" ? readObject(document.value) : undefined;
    return response !== undefined && isPageResponse(response);
  },

  read(document, file, collect) {
    const response = readObject(document.value);
    if (response !== undefined) readPageResponse(response, document.capturedAt, collect, readSubjectVideo(file));
  },
};
