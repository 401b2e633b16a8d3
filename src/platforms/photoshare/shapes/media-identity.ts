/** What a post is called and what kind it is, worked out where a capture did not say. */
import { Type } from "typebox";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativePost } from "../native.ts";
import { codeOfId } from "../shortcode.ts";

export const MediaType = Type.Integer({
  description: "1 photo, 2 video, 8 album; 0 when not known.",
});

/** The platform's item family joins the ids of post and author; without a known author the post's id stands alone. */
export function joinedIdOf(post: Post<NativePost>): string {
  const authorId = platformId(post.authorId);
  return authorId === null ? post.id : `${post.id}_${authorId}`;
}

export function codeOf(post: Post<NativePost>): string | null {
  return post.native.code ?? codeOfId(post.id);
}

export function mediaTypeOf(native: NativePost): number | null {
  if (native.media_type !== undefined) return native.media_type;
  const family = native.__typename ?? "";
  if (native.carousel_media?.length || family.endsWith("Sidecar")) return 8;
  if (native.video_versions?.length || family.endsWith("Video")) return 2;
  return family.endsWith("Image") ? 1 : null;
}
