/** Pictures of videos and channels, which all of YouTube's formats carry the same way. */
import { nonEmpty, omitUnknown, readItems, readMeasure, readObjectAt, readUrl } from "#import/capture/field-readers.ts";
import type { NativeThumbnail } from "../native.ts";

export function readThumbnails(value: unknown): NativeThumbnail[] | undefined {
  return nonEmpty(readItems(value).flatMap((item) => readThumbnail(item) ?? []));
}

/** For formats that carry one URL instead of a list. */
export function readSingleThumbnail(url: unknown): NativeThumbnail[] | undefined {
  return readThumbnails([{ url }]);
}

function readThumbnail(value: unknown): NativeThumbnail | undefined {
  const picture = readObjectAt(value);
  const url = readUrl(picture["url"]);
  if (url === undefined) return undefined;
  return { url, ...omitUnknown({ width: readMeasure(picture["width"]), height: readMeasure(picture["height"]) }) };
}
