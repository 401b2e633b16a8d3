/** Pictures, films and the parts of albums, from the item family and from the graph family, under the item's names. */
import {
  type Fields,
  omitUnknown,
  readFilledText,
  readId,
  readInteger,
  readMeasure,
  readObject,
  readObjects,
  readUrl,
  readPositiveCount,
} from "#import/capture/field-readers.ts";
import type { NativeImage, NativePost, NativeVideoVersion } from "../native.ts";
import { readNodes } from "./connection-nodes.ts";

const MEDIA_TYPES = new Set([1, 2, 8]);

export function mediaTypeIn(item: Fields): number | undefined {
  const stated = readInteger(item["media_type"]);
  if (stated !== undefined && MEDIA_TYPES.has(stated)) return stated;
  const family = readFilledText(item["__typename"]) ?? "";
  if (/Sidecar(?:Media)?$/.test(family) || /^Carousel\w*$/.test(family.slice(family.lastIndexOf("Carousel")))) return 8;
  if (/Video(?:Media)?$/.test(family) || item["is_video"] === true) return 2;
  if (/(?:Image|Photo)(?:Media)?$/.test(family)) return 1;
  return undefined;
}

/** The media of an object of the item family, or of one part of its album. */
export function itemMedia(item: Fields): NativePost {
  const parts = readObjects(item["carousel_media"]);
  return (
    omitUnknown<NativePost>({
      media_type: mediaTypeIn(item),
      image_versions2: imagesAs(readObjects(readObject(item["image_versions2"])?.["candidates"]).flatMap(readImage)),
      video_versions: filmsAs(readObjects(item["video_versions"]).flatMap(readFilm)),
      display_uri: readUrl(item["display_uri"]),
      original_width: readMeasure(item["original_width"]),
      original_height: readMeasure(item["original_height"]),
      accessibility_caption: readFilledText(item["accessibility_caption"]),
      carousel_media_count: readPositiveCount(item["carousel_media_count"]) ?? (parts.length || undefined),
      carousel_media:
        parts.length === 0 ? undefined : parts.map((part) => Object.assign(namedPart(part), itemMedia(part))),
    }) ?? {}
  );
}

/** The same of the graph family. */
export function graphMedia(node: Fields): NativePost {
  const dimensions = readObject(node["dimensions"]) ?? {};
  const width = readMeasure(dimensions["width"]);
  const height = readMeasure(dimensions["height"]);
  const shown = readUrl(node["display_url"]) ?? readUrl(node["display_src"]);
  const film = readUrl(node["video_url"]);
  const parts = readNodes(node["edge_sidecar_to_children"]) ?? [];
  const thumbnails = resourcesIn(node["thumbnail_resources"]);
  return (
    omitUnknown<NativePost>({
      media_type: parts.length > 0 ? 8 : mediaTypeIn(node),
      image_versions2: imagesAs([...asImages(shown, width, height), ...largerFirst(node, shown)]),
      video_versions: filmsAs(
        film === undefined ? [] : [omitUnknown<NativeVideoVersion>({ url: film, width, height }) ?? {}],
      ),
      display_uri: shown,
      original_width: width,
      original_height: height,
      accessibility_caption: readFilledText(node["accessibility_caption"]),
      thumbnail_resources: thumbnails.length === 0 ? undefined : thumbnails,
      carousel_media_count: parts.length || undefined,
      carousel_media:
        parts.length === 0 ? undefined : parts.map((part) => Object.assign(namedPart(part), graphMedia(part))),
    }) ?? {}
  );
}

function namedPart(part: Fields): Pick<NativePost, "pk" | "code"> {
  const pk = readId(part["pk"]) ?? readId(readFilledText(part["id"])?.split("_")[0]);
  return omitUnknown({ pk, code: readFilledText(part["code"]) ?? readFilledText(part["shortcode"]) }) ?? {};
}

function readImage(image: Fields): NativeImage[] {
  return asImages(readUrl(image["url"]), readMeasure(image["width"]), readMeasure(image["height"]));
}

function readFilm(film: Fields): NativeVideoVersion[] {
  const [image] = readImage(film);
  return image === undefined ? [] : [{ ...image, ...omitUnknown({ type: readInteger(film["type"]) }) }];
}

function asImages(url: string | undefined, width?: number, height?: number): NativeImage[] {
  return url === undefined ? [] : [omitUnknown<NativeImage>({ url, width, height }) ?? {}];
}

/** The graph family lists the smallest first, the item family the largest. */
function largerFirst(node: Fields, shown: string | undefined): NativeImage[] {
  return resourcesIn(node["display_resources"])
    .filter(({ src }) => src !== shown)
    .flatMap(({ src, config_width, config_height }) => asImages(src, config_width, config_height))
    .toReversed();
}

function resourcesIn(value: unknown): NonNullable<NativePost["thumbnail_resources"]> {
  return readObjects(value).flatMap((resource) => {
    const src = readUrl(resource["src"]);
    if (src === undefined) return [];
    const size = {
      config_width: readMeasure(resource["config_width"]),
      config_height: readMeasure(resource["config_height"]),
    };
    return [{ src, ...omitUnknown(size) }];
  });
}

export function imagesAs(candidates: NativeImage[]): NativePost["image_versions2"] {
  return candidates.length === 0 ? undefined : { candidates };
}

function filmsAs(films: NativeVideoVersion[]): NativePost["video_versions"] {
  return films.length === 0 ? undefined : films;
}
