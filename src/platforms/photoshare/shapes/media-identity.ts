/** A post's id, code and media type, derived where a capture lacks them. */
import { Type } from "#api/schema.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativePost } from "../native.ts";
import { idToCode } from "../shortcode.ts";

export const MediaType = Type.Integer({ description: "1 photo, 2 video, 8 album; 0 if unknown." });

/** `<post>_<author>`; only the post's id if the author is unknown. */
export function toJoinedId(post: Post<NativePost>): string {
  const authorId = platformId(post.authorId);
  return authorId === null ? post.id : `${post.id}_${authorId}`;
}

export function getCode(post: Post<NativePost>): string | null {
  return post.native.code ?? idToCode(post.id);
}

export function getMediaType(native: NativePost): number | null {
  if (native.media_type !== undefined) return native.media_type;
  const typeName = native.__typename ?? "";
  if (native.carousel_media?.length || typeName.endsWith("Sidecar")) return 8;
  if (native.video_versions?.length || typeName.endsWith("Video")) return 2;
  return typeName.endsWith("Image") ? 1 : null;
}
