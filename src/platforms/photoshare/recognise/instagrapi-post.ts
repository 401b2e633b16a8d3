/** Posts that instagrapi dumped (`Media.dict()`): items whose caption, media and tags have names of its own. */
import {
  type Fields,
  nonEmpty,
  readFilledText,
  readObjectAt,
  readObjects,
  readPositiveCount,
} from "#import/capture/field-readers.ts";
import type { CapturedPost } from "./captured-post.ts";
import { readItem } from "./item-post.ts";

export function isInstagrapiPost(item: Fields): boolean {
  return typeof item["caption_text"] === "string" && !("caption" in item);
}

export function readInstagrapiPost(post: Fields): CapturedPost {
  return readItem({
    ...withOwnMedia(post),
    caption: { text: post["caption_text"] },
    user: withoutDefaults(post["user"]),
    coauthor_producers: nonEmpty(readObjects(post["coauthor_producers"]).map(withoutDefaults)),
    // An empty list says nothing about an album, whose parts have the tags.
    usertags: { in: nonEmpty(readObjects(post["usertags"]).map(({ user }) => ({ user: withoutDefaults(user) }))) },
    carousel_media: readObjects(post["resources"]).map(withOwnMedia),
    // 0, false and empty where Instagram sent nothing, such as views of photos.
    view_count: readPositiveCount(post["view_count"]),
    play_count: readPositiveCount(post["play_count"]),
    like_count: readPositiveCount(post["like_count"]),
    comment_count: readPositiveCount(post["comment_count"]),
    comments_disabled: post["comments_disabled"] === true ? true : undefined,
    title: readFilledText(post["title"]),
  });
}

/** Lists of posts have only the id of whom they are by; the name is then empty. */
function withoutDefaults(user: unknown): Fields {
  const fields = readObjectAt(user);
  return { ...fields, full_name: readFilledText(fields["full_name"]) };
}

function withOwnMedia(medium: Fields): Fields {
  const pictures = nonEmpty(readObjects(readObjectAt(medium, "image_versions2")["candidates"]));
  return {
    ...medium,
    image_versions2: { candidates: pictures ?? [{ url: medium["thumbnail_url"] }] },
    video_versions: nonEmpty(readObjects(medium["video_versions"])) ?? [{ url: medium["video_url"] }],
  };
}
