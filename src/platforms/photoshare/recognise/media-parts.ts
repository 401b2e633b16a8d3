/** Pictures, videos and album parts, from the item and graph formats, under the item format's names. */
import { EXCERPT } from "#domain/approximate.ts";
import type { Margins } from "#domain/record.ts";
import { Estimates } from "#import/capture/estimates.ts";
import {
  type Fields,
  nonEmpty,
  omitUnknown,
  readFilledText,
  readId,
  readInteger,
  readMeasure,
  readObjectAt,
  readObjects,
  readUrl,
  readPositiveCount,
  type WithUnknown,
} from "#import/capture/field-readers.ts";
import type { NativeImage, NativePost, NativeVideoVersion } from "../native.ts";
import { readNodes } from "./connection-nodes.ts";

const MEDIA_TYPES = new Set([1, 2, 8]);

export function readMediaType(item: Fields): number | undefined {
  const stated = readInteger(item["media_type"]);
  if (stated !== undefined && MEDIA_TYPES.has(stated)) return stated;
  const typeName = readFilledText(item["__typename"]) ?? "";
  if (/Sidecar(?:Media)?$/.test(typeName) || /^Carousel\w*$/.test(typeName.slice(typeName.lastIndexOf("Carousel")))) {
    return 8;
  }
  if (/Video(?:Media)?$/.test(typeName) || item["is_video"] === true) return 2;
  if (/(?:Image|Photo)(?:Media)?$/.test(typeName)) return 1;
  return undefined;
}

/** The media of a post in the item format, or of one part of its album. */
export function readItemMedia(item: Fields): NativePost | undefined {
  const parts = readObjects(item["carousel_media"]);
  // Some services have names of their own for them.
  const pictures = readObjectAt(item, "image_versions2")["candidates"] ?? readObjectAt(item, "image_versions")["items"];
  return omitUnknown<NativePost>({
    media_type: readMediaType(item),
    image_versions2: wrapCandidates(readObjects(pictures).flatMap(readImage)),
    video_versions: nonEmpty(readObjects(item["video_versions"]).flatMap(readVideo)),
    display_uri: readUrl(item["display_uri"]),
    original_width: readMeasure(item["original_width"]),
    original_height: readMeasure(item["original_height"]),
    accessibility_caption: readFilledText(item["accessibility_caption"]),
    carousel_media_count: readPositiveCount(item["carousel_media_count"]) ?? (parts.length || undefined),
    carousel_media: nonEmpty(parts.map((part) => ({ ...readPartIds(part), ...readItemMedia(part) }))),
  });
}

/** The same for the graph format. */
export function readGraphMedia(node: Fields): NativePost | undefined {
  const dimensions = readObjectAt(node, "dimensions");
  const width = readMeasure(dimensions["width"]);
  const height = readMeasure(dimensions["height"]);
  const picture = readUrl(node["display_url"]) ?? readUrl(node["display_src"]);
  const parts = readNodes(node["edge_sidecar_to_children"]) ?? [];
  return omitUnknown<NativePost>({
    media_type: parts.length > 0 ? 8 : readMediaType(node),
    ...toSingleMedia(picture, readUrl(node["video_url"]), width, height),
    image_versions2: wrapCandidates([...toImages(picture, width, height), ...readOtherSizes(node, picture)]),
    accessibility_caption: readFilledText(node["accessibility_caption"]),
    thumbnail_src: readUrl(node["thumbnail_src"]),
    thumbnail_resources: nonEmpty(readResources(node["thumbnail_resources"])),
    carousel_media_count: parts.length || undefined,
    carousel_media: nonEmpty(parts.map((part) => ({ ...readPartIds(part), ...readGraphMedia(part) }))),
  });
}

function readPartIds(part: Fields): Pick<NativePost, "pk" | "code"> | undefined {
  const pk = readId(part["pk"]) ?? readId(readFilledText(part["id"])?.split("_")[0]);
  return omitUnknown({ pk, code: readFilledText(part["code"]) ?? readFilledText(part["shortcode"]) });
}

function readImage(image: Fields): NativeImage[] {
  return toImages(readUrl(image["url"]), readMeasure(image["width"]), readMeasure(image["height"]));
}

function readVideo(video: Fields): NativeVideoVersion[] {
  return readImage(video).map((image) => ({ ...image, ...omitUnknown({ type: readInteger(video["type"]) }) }));
}

function toImages(url: string | undefined, width?: number, height?: number): NativeImage[] {
  return url === undefined ? [] : [{ url, ...omitUnknown({ width, height }) }];
}

/** Largest first, as in the item format; the graph format lists the smallest first. */
function readOtherSizes(node: Fields, picture: string | undefined): NativeImage[] {
  return readResources(node["display_resources"])
    .filter(({ src }) => src !== picture)
    .flatMap(({ src, config_width, config_height }) => toImages(src, config_width, config_height))
    .toReversed();
}

function readResources(value: unknown): NonNullable<NativePost["thumbnail_resources"]> {
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

/** For formats that give one picture and one video URL. */
export function toSingleMedia(
  picture: string | undefined,
  video?: string,
  width?: number,
  height?: number,
): WithUnknown<NativePost> {
  return {
    display_uri: picture,
    image_versions2: wrapCandidates(toImages(picture, width, height)),
    video_versions: nonEmpty(toImages(video, width, height)),
    original_width: width,
    original_height: height,
  };
}

function wrapCandidates(candidates: NativeImage[]): NativePost["image_versions2"] {
  return candidates.length === 0 ? undefined : { candidates };
}

/** The margins of media of which a format has only a part: other formats have Instagram's own lists. */
export function findMediaMargins({ image_versions2, video_versions, carousel_media }: NativePost): Margins | undefined {
  const estimates = new Estimates();
  estimates.add("native.image_versions2.candidates", sizesMargin(image_versions2?.candidates));
  estimates.add("native.video_versions", sizesMargin(video_versions));
  estimates.add("native.carousel_media", largestOf((carousel_media ?? []).map(partMargin)));
  return estimates.margins;
}

/** Zero for an empty list. `Math.max` takes no more arguments than fit on the stack. */
function largestOf(margins: readonly number[]): number {
  return margins.reduce((largest, margin) => Math.max(largest, margin), 0);
}

/** One size instead of several, or one of which the size is not known. */
function sizesMargin(sizes: readonly NativeImage[] = []): number {
  if (sizes.length > 0 && sizes.every(({ width }) => width === undefined)) return EXCERPT + 1;
  return sizes.length === 1 ? EXCERPT : 0;
}

/** The poorest parts are pictures that may as well be covers of videos. */
function partMargin({ media_type, image_versions2, video_versions }: NativePost): number {
  if (media_type === undefined) return EXCERPT + 2;
  return Math.max(sizesMargin(image_versions2?.candidates), sizesMargin(video_versions));
}

/** An album of which only the pictures are known. */
export function toPictureAlbum(urls: readonly string[] | undefined): NativePost[] | undefined {
  return urls?.map((url) => ({ image_versions2: { candidates: [{ url }] } }));
}
