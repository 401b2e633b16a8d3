/**
 * The answers of the platform's own pages (player, next, search, browse), where the container knows when they were
 * captured: only then can "3 days ago" be read as a time.
 */
import type { Importer } from "#api/importer.ts";
import { readObject } from "#import/capture/field-readers.ts";
import { isAnswer, readAnswer } from "../recognise/response.ts";

export const innertube: Importer = {
  name: "innertube",

  detects(document) {
    const answer = document.kind === "json" ? readObject(document.value) : undefined;
    return answer !== undefined && isAnswer(answer);
  },

  read(document, _file, collect) {
    const answer = readObject(document.value);
    if (answer !== undefined) readAnswer(answer, document.capturedAt, collect);
  },
};
