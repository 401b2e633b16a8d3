/** Pictures, films and the parts of albums, from the item family and from the graph family, under the item's names. */
import type { NativeImage, NativePost, NativeVideoVersion } from "../native.ts";
import {
  extentOf,
  idOf,
  integerOf,
  type JsonObject,
  known,
  nodesOf,
  objectOf,
  objectsIn,
  webAddressOf,
  wordOf,
} from "./field-readers.ts";

const MEDIA_TYPES = new Set([1, 2, 8]);

export function mediaTypeIn(item: JsonObject): number | undefined {
  const stated = integerOf(item["media_type"]);
  if (stated !== undefined && MEDIA_TYPES.has(stated)) return stated;
  const family = wordOf(item["__typename"]) ?? "";
  if (/Sidecar(?:Media)?$/.test(family) || /^Carousel\w*$/.test(family.slice(family.lastIndexOf("Carousel")))) return 8;
  if (/Video(?:Media)?$/.test(family) || item["is_video"] === true) return 2;
  if (/(?:Image|Photo)(?:Media)?$/.test(family)) return 1;
  return undefined;
}

/** The media of an object of the item family, or of one part of its album. */
export function itemMedia(item: JsonObject): NativePost {
  const parts = objectsIn(item["carousel_media"]);
  return (
    known<NativePost>({
      media_type: mediaTypeIn(item),
      image_versions2: imagesAs(objectsIn(objectOf(item["image_versions2"])?.["candidates"]).flatMap(readImage)),
      video_versions: filmsAs(objectsIn(item["video_versions"]).flatMap(readFilm)),
      display_uri: webAddressOf(item["display_uri"]),
      original_width: extentOf(item["original_width"]),
      original_height: extentOf(item["original_height"]),
      accessibility_caption: wordOf(item["accessibility_caption"]),
      carousel_media_count: extentOf(item["carousel_media_count"]) ?? (parts.length || undefined),
      carousel_media:
        parts.length === 0 ? undefined : parts.map((part) => Object.assign(namedPart(part), itemMedia(part))),
    }) ?? {}
  );
}

/** The same of the graph family. */
export function graphMedia(node: JsonObject): NativePost {
  const dimensions = objectOf(node["dimensions"]) ?? {};
  const width = extentOf(dimensions["width"]);
  const height = extentOf(dimensions["height"]);
  const shown = webAddressOf(node["display_url"]) ?? webAddressOf(node["display_src"]);
  const film = webAddressOf(node["video_url"]);
  const parts = nodesOf(node["edge_sidecar_to_children"]) ?? [];
  const thumbnails = resourcesIn(node["thumbnail_resources"]);
  return (
    known<NativePost>({
      media_type: parts.length > 0 ? 8 : mediaTypeIn(node),
      image_versions2: imagesAs([...asImages(shown, width, height), ...largerFirst(node, shown)]),
      video_versions: filmsAs(
        film === undefined ? [] : [known<NativeVideoVersion>({ url: film, width, height }) ?? {}],
      ),
      display_uri: shown,
      original_width: width,
      original_height: height,
      accessibility_caption: wordOf(node["accessibility_caption"]),
      thumbnail_resources: thumbnails.length === 0 ? undefined : thumbnails,
      carousel_media_count: parts.length || undefined,
      carousel_media:
        parts.length === 0 ? undefined : parts.map((part) => Object.assign(namedPart(part), graphMedia(part))),
    }) ?? {}
  );
}

function namedPart(part: JsonObject): Pick<NativePost, "pk" | "code"> {
  const pk = idOf(part["pk"]) ?? idOf(wordOf(part["id"])?.split("_")[0]);
  return known({ pk, code: wordOf(part["code"]) ?? wordOf(part["shortcode"]) }) ?? {};
}

function readImage(image: JsonObject): NativeImage[] {
  return asImages(webAddressOf(image["url"]), extentOf(image["width"]), extentOf(image["height"]));
}

function readFilm(film: JsonObject): NativeVideoVersion[] {
  const [image] = readImage(film);
  return image === undefined ? [] : [{ ...image, ...known({ type: integerOf(film["type"]) }) }];
}

function asImages(url: string | undefined, width?: number, height?: number): NativeImage[] {
  return url === undefined ? [] : [known<NativeImage>({ url, width, height }) ?? {}];
}

/** The graph family lists the smallest first, the item family the largest. */
function largerFirst(node: JsonObject, shown: string | undefined): NativeImage[] {
  return resourcesIn(node["display_resources"])
    .filter(({ src }) => src !== shown)
    .flatMap(({ src, config_width, config_height }) => asImages(src, config_width, config_height))
    .toReversed();
}

function resourcesIn(value: unknown): NonNullable<NativePost["thumbnail_resources"]> {
  return objectsIn(value).flatMap((resource) => {
    const src = webAddressOf(resource["src"]);
    if (src === undefined) return [];
    const size = {
      config_width: extentOf(resource["config_width"]),
      config_height: extentOf(resource["config_height"]),
    };
    return [{ src, ...known(size) }];
  });
}

export function imagesAs(candidates: NativeImage[]): NativePost["image_versions2"] {
  return candidates.length === 0 ? undefined : { candidates };
}

function filmsAs(films: NativeVideoVersion[]): NativePost["video_versions"] {
  return films.length === 0 ? undefined : films;
}
