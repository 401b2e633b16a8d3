/**
 * gallery-dl: the platform's own post with keys of the tool beside it, one file a downloaded medium, so that a photo
 * post comes once a picture. Its `--dump-json` output is a list of messages that end with the same object.
 */
import type { Importer } from "#api/importer.ts";
import { type Fields, isFields, readItems } from "#import/capture/field-readers.ts";
import { walkNatives } from "../recognise.ts";

function isOurs(value: unknown): value is Fields {
  return isFields(value) && value["category"] === "tiktok";
}

/** The objects of a metadata file (one) or of dumped messages (`[type, …, object]`). */
function objectsOf(value: unknown): Fields[] {
  if (isFields(value)) return isOurs(value) ? [value] : [];
  return readItems(value).flatMap((message) => (isOurs(message) ? [message] : readItems(message).filter(isOurs)));
}

export const galleryDl: Importer = {
  name: "gallery-dl",
  detects: ({ kind, value }) =>
    kind === "json" && objectsOf(Array.isArray(value) ? value.slice(0, 20) : value).length > 0,
  read({ value }, file, collect) {
    for (const object of objectsOf(value)) {
      if (!walkNatives(object, collect, { url: null, file })) collect.refuse("unknown_record");
    }
  },
};
