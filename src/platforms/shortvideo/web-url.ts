/** The URLs of records on TikTok's own site. */
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { NativePost } from "./native.ts";

const SITE = "https://www.tiktok.com";

/** TikTok ignores the name in the path: `@` alone leads to the same post. */
export function postUrl(post: Post<NativePost>): string {
  return `${SITE}/@${post.native.author?.uniqueId ?? ""}/video/${post.id}`;
}

export function soundUrl(sound: Sound): string {
  const slug = (sound.title ?? "sound").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return `${SITE}/music/${encodeURIComponent(slug)}-${sound.id}`;
}
