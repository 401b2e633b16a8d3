/** Posts that instagrapi dumped (`Media.dict()`): items whose caption, media and tags have names of its own. */
import { type Fields, nonEmpty, readObjectAt, readObjects, readPositiveCount } from "#import/capture/field-readers.ts";
import type { CapturedPost } from "./captured-post.ts";
import { readItem } from "./item-post.ts";

export function isInstagrapiPost(item: Fields): boolean {
  return typeof item["caption_text"] === "string" && !("caption" in item);
}

export function readInstagrapiPost(post: Fields): CapturedPost {
  return readItem({
    ...withOwnMedia(post),
    caption: { text: post["caption_text"] },
    // An empty list says nothing about an album, whose parts have the tags.
    usertags: { in: nonEmpty(readObjects(post["usertags"])) },
    carousel_media: readObjects(post["resources"]).map(withOwnMedia),
    // 0 where there is no count, such as on photos.
    view_count: readPositiveCount(post["view_count"]),
    play_count: readPositiveCount(post["play_count"]),
  });
}

function withOwnMedia(medium: Fields): Fields {
  const pictures = nonEmpty(readObjects(readObjectAt(medium, "image_versions2")["candidates"]));
  return {
    ...medium,
    image_versions2: { candidates: pictures ?? [{ url: medium["thumbnail_url"] }] },
    video_versions: nonEmpty(readObjects(medium["video_versions"])) ?? [{ url: medium["video_url"] }],
  };
}
