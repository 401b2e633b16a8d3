/** Sets of profiles that vendors sell, as JSON or as tables with lists in cells. Each profile has its own capture time. */
import type { Collector, Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "./document-records.ts";
import { type Fields, readObjects, readTimestamp } from "./field-readers.ts";
import { nestRow } from "./nested-row.ts";
import { withCaptureTime } from "./with-capture-time.ts";

/** Sets leave out what they were not made for, so `isProfile` should be content with some of their keys. */
export function defineProfileSet(
  name: string,
  isProfile: (record: Fields) => boolean,
  readProfile: (profile: Fields, collect: Collector) => void,
): Importer {
  return {
    name,

    detects: ({ kind, value }) => kind !== "text" && hasRecord(listRecords(value), isProfile),

    read({ kind, value }, _file, collect) {
      for (const record of readObjects(listRecords(value))) {
        const profile = kind === "row" ? nestRow(record) : record;
        const seconds = readTimestamp(profile["timestamp"]);
        if (!isProfile(record)) collect.refuse("unknown_record");
        else readProfile(profile, withCaptureTime(collect, seconds === undefined ? undefined : seconds * 1000));
      }
    },
  };
}
