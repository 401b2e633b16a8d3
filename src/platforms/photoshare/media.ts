import type { PostMedia } from "#api/endpoint.ts";
import type { Post } from "#domain/post.ts";
import type { NativeImage, NativePost } from "./native.ts";
import { findLargest, listImages } from "./shapes/image-versions.ts";

/** Of an album, each part in its order; of a video, its picture first. */
export function listMedia({ native }: Post<NativePost>): PostMedia[] {
  const parts = native.carousel_media ?? [];
  return (parts.length > 0 ? parts : [native]).flatMap((part) => [
    ...toMedia("image", findLargest(listImages(part) ?? [])),
    ...toMedia("video", findLargest(part.video_versions ?? [])),
  ]);
}

function toMedia(kind: PostMedia["kind"], file: NativeImage | null): PostMedia[] {
  if (file?.url === undefined) return [];
  return [{ kind, url: file.url, width: file.width ?? null, height: file.height ?? null }];
}
