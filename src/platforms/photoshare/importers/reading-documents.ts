/** What the named formats have in common: records in a document, and a capture time that belongs to all of them. */
import type { Collector, SourceDocument } from "#contract/importer.ts";
import { type JsonObject, objectOf, objectsIn } from "../recognise/field-readers.ts";

/** A document is one record or a list of them. */
export function recordsIn(document: SourceDocument): JsonObject[] {
  const single = objectOf(document.value);
  return single === undefined ? objectsIn(document.value) : [single];
}

/** Lists may begin with an error or an empty record, so a few are looked at. */
export function holdsRecord(document: SourceDocument, is: (record: JsonObject) => boolean): boolean {
  return recordsIn(document).slice(0, 20).some(is);
}

/** For formats that write the time of capture around the object. */
export function capturedAt(collect: Collector, milliseconds: number | undefined): Collector {
  if (milliseconds === undefined) return collect;
  const time = { capturedAt: milliseconds };
  return {
    ...collect,
    account: (found) => collect.account({ ...time, ...found }),
    post: (found) => collect.post({ ...time, ...found }),
    comment: (found) => collect.comment({ ...time, ...found }),
    sound: (found) => collect.sound({ ...time, ...found }),
    hashtag: (found) => collect.hashtag({ ...time, ...found }),
    place: (found) => collect.place({ ...time, ...found }),
  };
}
