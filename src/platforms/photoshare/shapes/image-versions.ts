/** The sizes of a post's picture, which captures have in four different fields. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Integer, Url, wireObject } from "#api/wire.ts";
import type { NativeImage, NativePost } from "../native.ts";

export const ImageVersions = wireObject({
  candidates: Type.Array(wireObject({ height: Integer, width: Integer, url: Url })),
});
export type ImageVersions = Static<typeof ImageVersions>;

export function toImageVersions(native: NativePost): Nullable<ImageVersions> {
  const candidates = listImages(native)?.map(({ height, width, url }) => ({
    height: height ?? null,
    width: width ?? null,
    url: url ?? null,
  }));
  return { candidates: candidates ?? null };
}

/** Null if no picture was captured. An album is represented by its first picture, as on Instagram. */
export function listImages(native: NativePost): NativeImage[] | null {
  const own = native.image_versions2?.candidates;
  if (own !== undefined && own.length > 0) return own;
  if (native.display_uri) return [toImage(native.display_uri, native.original_width, native.original_height)];
  const cover = native.carousel_media?.[0];
  const coverImages = cover === undefined ? null : listImages(cover);
  if (coverImages !== null) return coverImages;
  const thumbnails = native.thumbnail_resources;
  if (thumbnails === undefined || thumbnails.length === 0) return null;
  return thumbnails.map(({ src, config_width, config_height }) => toImage(src, config_width, config_height));
}

export function findLargest(images: readonly NativeImage[]): NativeImage | null {
  return images.reduce<NativeImage | null>(
    (best, image) => (best === null || (image.width ?? 0) > (best.width ?? 0) ? image : best),
    null,
  );
}

function toImage(url: string | undefined, width: number | undefined, height: number | undefined): NativeImage {
  return {
    ...(url === undefined ? {} : { url }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
}
