/** Where the platform itself shows a record. */
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { NativePost } from "./native.ts";

const SITE = "https://www.tiktok.com";

/** The name in the path is decoration to the platform: `@` alone leads to the same post. */
export function postAddress(post: Post<NativePost>): string {
  return `${SITE}/@${post.native.author?.uniqueId ?? ""}/video/${post.id}`;
}

export function soundAddress(sound: Sound): string {
  const slug = (sound.title ?? "sound").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return `${SITE}/music/${encodeURIComponent(slug)}-${sound.id}`;
}
