/** A post with a hashtag, in Instagram's graph format with edges and nodes. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeImage, NativePost } from "../native.ts";
import { listImages, findLargest } from "./image-versions.ts";
import { getCode, getMediaType } from "./media-identity.ts";

const Count = wireObject({ count: Integer });

export const HashtagPost = wireObject({
  comments_disabled: Flag,
  __typename: Text,
  id: Text,
  edge_media_to_caption: wireObject({ edges: Type.Array(wireObject({ node: wireObject({ text: Text }) })) }),
  shortcode: Text,
  edge_media_to_comment: Count,
  taken_at_timestamp: Timestamp,
  dimensions: wireObject({ height: Integer, width: Integer }),
  display_url: Url,
  edge_liked_by: Count,
  edge_media_preview_like: Count,
  owner: wireObject({ id: Text }),
  thumbnail_src: Url,
  thumbnail_resources: Type.Array(wireObject({ src: Url, config_width: Integer, config_height: Integer })),
  is_video: Flag,
  accessibility_caption: Text,
});
export type HashtagPost = Static<typeof HashtagPost>;

const TYPE_NAMES: Record<number, string> = { 1: "GraphImage", 2: "GraphVideo", 8: "GraphSidecar" };

/** Instagram's own thumbnails are at most this wide. */
const THUMBNAIL_WIDTH = 640;

export function toHashtagPost(post: Post<NativePost>): Nullable<HashtagPost> {
  const { native, counters } = post;
  const mediaType = getMediaType(native);
  const images = listImages(native);
  const largest = findLargest(images ?? []);
  const displayUrl = native.display_uri ?? largest?.url ?? null;
  const thumbnails = toThumbnails(native, images);
  return {
    comments_disabled: native.comments_disabled ?? null,
    __typename: mediaType === null ? null : (TYPE_NAMES[mediaType] ?? null),
    id: post.id,
    edge_media_to_caption: { edges: toCaptionEdges(post.text) },
    shortcode: getCode(post),
    edge_media_to_comment: { count: counters.comments ?? null },
    taken_at_timestamp: post.publishedAt,
    dimensions: {
      height: native.original_height ?? largest?.height ?? null,
      width: native.original_width ?? largest?.width ?? null,
    },
    display_url: displayUrl,
    edge_liked_by: { count: counters.likes ?? null },
    edge_media_preview_like: { count: counters.likes ?? null },
    owner: { id: platformId(post.authorId) },
    thumbnail_src: native.thumbnail_src ?? thumbnails?.at(-1)?.src ?? displayUrl,
    thumbnail_resources: thumbnails,
    is_video: mediaType === null ? null : mediaType === 2,
    accessibility_caption: native.accessibility_caption ?? null,
  };
}

function toCaptionEdges(text: string | null) {
  if (text === null) return null;
  return text === "" ? [] : [{ node: { text } }];
}

/** Smallest first, as on Instagram. */
function toThumbnails(native: NativePost, images: readonly NativeImage[] | null) {
  const captured = native.thumbnail_resources?.map(({ src, config_width, config_height }) => ({
    src: src ?? null,
    config_width: config_width ?? null,
    config_height: config_height ?? null,
  }));
  const derived = images
    ?.filter(({ width }) => width !== undefined && width <= THUMBNAIL_WIDTH)
    .map(({ url, width, height }) => ({
      src: url ?? null,
      config_width: width ?? null,
      config_height: height ?? null,
    }));
  return (captured ?? derived)?.toSorted((a, b) => (a.config_width ?? 0) - (b.config_width ?? 0)) ?? null;
}
