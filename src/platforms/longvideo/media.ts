import type { PostMedia } from "#api/endpoint.ts";
import type { Post } from "#domain/post.ts";
import type { NativeVideo } from "./native.ts";

/** The largest thumbnail; captures have no URL of the video file. */
export function listMedia({ native }: Post<NativeVideo>): PostMedia[] {
  const [largest] = (native.thumbnails ?? []).toSorted((a, b) => (b.width ?? 0) - (a.width ?? 0));
  if (largest?.url === undefined) return [];
  return [{ kind: "image", url: largest.url, width: largest.width ?? null, height: largest.height ?? null }];
}
