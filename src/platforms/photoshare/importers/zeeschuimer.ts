/** Zeeschuimer and 4CAT exports: NDJSON lines that wrap Instagram's own objects. */
import type { Importer } from "#api/importer.ts";
import type { RefusalCode } from "#api/refusals.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { isFields } from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { type Envelope, read4cat, readZeeschuimer } from "#import/capture/zeeschuimer.ts";
import { recogniseAll } from "../recognise.ts";
import { isGraphPost } from "../recognise/graph-post.ts";
import { isItem } from "../recognise/item-post.ts";

export const zeeschuimer: Importer = {
  name: "zeeschuimer",

  detects: ({ kind, value }) =>
    kind === "json" && hasRecord(listRecords(value), (record) => readLine(record) !== undefined),

  read(document, file, collect) {
    for (const record of listRecords(document.value)) {
      const line = readLine(record);
      if (line === undefined) {
        collect.refuse("unknown_record");
        continue;
      }
      const timed = withCaptureTime(collect, line.capturedAt);
      if (!recogniseAll(line.data, { document: { url: null, file } }, timed)) collect.refuse(refusalFor(line.data));
    }
  },
};

function readLine(record: unknown): Envelope | undefined {
  const envelope = readZeeschuimer(record) ?? read4cat(record);
  return envelope?.platform === "instagram.com" && isFields(envelope.data) ? envelope : undefined;
}

function refusalFor(data: unknown): RefusalCode {
  return isFields(data) && (isItem(data) || isGraphPost(data)) ? "post_without_id" : "unknown_record";
}
