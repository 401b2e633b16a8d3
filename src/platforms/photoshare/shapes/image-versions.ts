/** The sizes that a post's picture comes in. Captures keep them in four places; all are read here. */
import { type Static, Type } from "typebox";
import type { Nullable } from "#api/nullable.ts";
import { Integer, Url, wireObject } from "#api/wire.ts";
import type { NativeImage, NativePost } from "../native.ts";

export const ImageVersions = wireObject({
  candidates: Type.Array(wireObject({ height: Integer, width: Integer, url: Url })),
});
export type ImageVersions = Static<typeof ImageVersions>;

export function toImageVersions(native: NativePost): Nullable<ImageVersions> {
  const images = imagesOf(native);
  return {
    candidates:
      images === null
        ? null
        : images.map(({ height, width, url }) => ({
            height: height ?? null,
            width: width ?? null,
            url: url ?? null,
          })),
  };
}

/** Null when no picture was captured. An album is shown by its first picture, as the platform does. */
export function imagesOf(native: NativePost): NativeImage[] | null {
  const own = native.image_versions2?.candidates;
  if (own !== undefined && own.length > 0) return own;
  if (native.display_uri) return [imageAt(native.display_uri, native)];
  const cover = native.carousel_media?.[0];
  const ofCover = cover === undefined ? null : imagesOf(cover);
  if (ofCover !== null) return ofCover;
  const thumbnails = native.thumbnail_resources;
  if (thumbnails === undefined || thumbnails.length === 0) return null;
  return thumbnails.map(({ src, config_width, config_height }) => imageOf(src, config_width, config_height));
}

export function largestOf(images: readonly NativeImage[]): NativeImage | null {
  return images.reduce<NativeImage | null>(
    (best, image) => (best === null || (image.width ?? 0) > (best.width ?? 0) ? image : best),
    null,
  );
}

function imageAt(url: string, native: NativePost): NativeImage {
  return imageOf(url, native.original_width, native.original_height);
}

function imageOf(url: string | undefined, width: number | undefined, height: number | undefined): NativeImage {
  return {
    ...(url === undefined ? {} : { url }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  };
}
