import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Integer, wireObject } from "#api/wire.ts";
import type { NativeThumbnail } from "../native.ts";

export const Thumbnail = wireObject({
  url: Type.String({ description: "URL of the picture." }),
  width: Integer,
  height: Integer,
});
export type Thumbnail = Static<typeof Thumbnail>;

/** Leaves out pictures without a URL. */
export function toThumbnails(thumbnails: readonly NativeThumbnail[] | undefined): Nullable<Thumbnail[]> {
  if (thumbnails === undefined) return null;
  return thumbnails.flatMap(({ url, width, height }) =>
    url === undefined ? [] : [{ url, width: width ?? null, height: height ?? null }],
  );
}
