import type { PostMedia } from "#api/endpoint.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost } from "./native.ts";

/** The cover and the video, or the pictures of a photo post. */
export function listMedia({ native: { video, imagePost } }: Post<NativePost>): PostMedia[] {
  const { width = null, height = null } = video ?? {};
  const photos = (imagePost?.images ?? []).flatMap(({ imageURL, imageWidth, imageHeight }): PostMedia[] => {
    const url = imageURL?.urlList?.[0];
    return url === undefined ? [] : [{ kind: "image", url, width: imageWidth ?? null, height: imageHeight ?? null }];
  });
  if (photos.length > 0) return photos;
  const file = video?.playAddr ?? video?.downloadAddr;
  return [
    ...(video?.cover === undefined ? [] : [{ kind: "image" as const, url: video.cover, width, height }]),
    ...(file === undefined ? [] : [{ kind: "video" as const, url: file, width, height }]),
  ];
}
