/** Pictures of videos and channels, as all of this platform's formats carry them. */
import { omitUnknown, readItems, readMeasure, readObjectAt, readUrl } from "#import/capture/field-readers.ts";
import type { NativeThumbnail } from "../native.ts";

export function readThumbnails(value: unknown): NativeThumbnail[] | undefined {
  const thumbnails = readItems(value).flatMap((item) => readThumbnail(item) ?? []);
  return thumbnails.length === 0 ? undefined : thumbnails;
}

export function readThumbnail(value: unknown): NativeThumbnail | undefined {
  const { url, width, height } = readObjectAt(value);
  const address = readUrl(url);
  if (address === undefined) return undefined;
  return { url: address, ...omitUnknown({ width: readMeasure(width), height: readMeasure(height) }) };
}
