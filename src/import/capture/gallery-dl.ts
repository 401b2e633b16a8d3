import { type Fields, isFields, readObjects } from "./field-readers.ts";

/** The objects of a gallery-dl metadata file (one) or of its `--dump-json` output: messages `[type, …, object]`. */
export function listGalleryDlObjects(value: unknown): Fields[] {
  if (isFields(value)) return [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((message: unknown) => (isFields(message) ? [message] : readObjects(message)));
}
