/**
 * Zeeschuimer's export: a line per object that a page showed, the platform's own object in `data`. 4CAT keeps the same
 * lines turned inside out, with the envelope in `__import_meta`. Lines of other platforms are not claimed.
 */
import type { Importer, SourceDocument } from "#contract/importer.ts";
import { recogniseAll } from "../recognise.ts";
import { type JsonObject, numberOf, objectOf } from "../recognise/field-readers.ts";
import { isGraphPost } from "../recognise/graph-post.ts";
import { isItem } from "../recognise/item-post.ts";
import { capturedAt, holdsRecord, recordsIn } from "./reading-documents.ts";

const PLATFORM = "instagram.com";

export const zeeschuimer: Importer = {
  name: "zeeschuimer",

  detects(document: SourceDocument) {
    return document.kind === "json" && holdsRecord(document, (record) => linesOf(record) !== undefined);
  },

  read(document, file, collect) {
    for (const record of recordsIn(document)) {
      const line = linesOf(record);
      if (line === undefined) {
        collect.refuse("line of another kind than the ones around it");
        continue;
      }
      const time = numberOf(line.envelope["timestamp_collected"]);
      const timed = capturedAt(collect, time !== undefined && time > 0 ? time : undefined);
      const scene = { url: null, file };
      if (!recogniseAll(line.data, { scene }, timed)) collect.refuse(reasonFor(line.data));
    }
  },
};

function linesOf(record: JsonObject): { envelope: JsonObject; data: JsonObject } | undefined {
  const data = objectOf(record["data"]);
  if (record["source_platform"] === PLATFORM && data !== undefined) return { envelope: record, data };
  const envelope = objectOf(record["__import_meta"]);
  return envelope?.["source_platform"] === PLATFORM ? { envelope, data: record } : undefined;
}

function reasonFor(data: JsonObject): string {
  return isItem(data) || isGraphPost(data) ? "post has no id" : "object is neither a post nor an account";
}
