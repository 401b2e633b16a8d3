/**
 * Zeeschuimer's export: a line per object that a page showed, the platform's own object in `data`. 4CAT keeps the same
 * lines turned inside out, with the envelope in `__import_meta`. Lines of other platforms are not claimed.
 */
import type { Importer, SourceDocument } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readCaptureTime, readObject, readObjects } from "#import/capture/field-readers.ts";
import type { RefusalCode } from "#api/refusals.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { recogniseAll } from "../recognise.ts";
import { isGraphPost } from "../recognise/graph-post.ts";
import { isItem } from "../recognise/item-post.ts";

const PLATFORM = "instagram.com";

export const zeeschuimer: Importer = {
  name: "zeeschuimer",

  detects(document: SourceDocument) {
    return (
      document.kind === "json" && hasRecord(listRecords(document.value), (record) => linesOf(record) !== undefined)
    );
  },

  read(document, file, collect) {
    for (const record of readObjects(listRecords(document.value))) {
      const line = linesOf(record);
      if (line === undefined) {
        collect.refuse("unknown_record");
        continue;
      }
      const timed = withCaptureTime(collect, readCaptureTime(line.envelope["timestamp_collected"]));
      const scene = { url: null, file };
      if (!recogniseAll(line.data, { scene }, timed)) collect.refuse(reasonFor(line.data));
    }
  },
};

function linesOf(record: Fields): { envelope: Fields; data: Fields } | undefined {
  const data = readObject(record["data"]);
  if (record["source_platform"] === PLATFORM && data !== undefined) return { envelope: record, data };
  const envelope = readObject(record["__import_meta"]);
  return envelope?.["source_platform"] === PLATFORM ? { envelope, data: record } : undefined;
}

function reasonFor(data: Fields): RefusalCode {
  return isItem(data) || isGraphPost(data) ? "post_without_id" : "unknown_record";
}
