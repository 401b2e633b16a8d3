/**
 * Posts of Instagram's public API until 2018, which its pages used too (`/media/`): `created_time`, and pictures by
 * resolution.
 */
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFilledTexts,
  readId,
  readList,
  readMeasure,
  readObject,
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "./captured-place.ts";
import type { CapturedPost } from "./captured-post.ts";
import { type CapturedUser, readUser } from "./captured-user.ts";
import { codeInUrl, postIdFromCode } from "./enclosing-context.ts";
import { toSingleMedia } from "./media-parts.ts";

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(Object.entries({ image: 1, video: 2, carousel: 8 }));

export function isPublicApiPost(object: Fields): boolean {
  return (
    "created_time" in object &&
    "standard_resolution" in readObjectAt(object, "images") &&
    readCode(object) !== undefined
  );
}

function readCode(post: Fields): string | undefined {
  return readFilledText(post["code"]) ?? codeInUrl(post["link"]);
}

export function readPublicApiPost(post: Fields): CapturedPost {
  const code = readCode(post);
  const caption = readObject(post["caption"]);
  const parts = readObjects(post["carousel_media"]);
  return {
    id: postIdFromCode(code) ?? readId(readText(post["id"])?.split("_")[0]),
    author: readPublicApiUser(post["user"]),
    publishedAt: readTimestamp(post["created_time"]),
    text: readText(caption?.["text"]) ?? (post["caption"] === null ? "" : undefined),
    hashtags: readFilledTexts(post["tags"]),
    tagged: readList(post["users_in_photo"])?.flatMap((tag) => readPublicApiUser(readObjectAt(tag)["user"]) ?? []),
    place: readPlace(post["location"]),
    counters: omitUnknown({
      likes: readCount(readObjectAt(post, "likes")["count"]),
      comments: readCount(readObjectAt(post, "comments")["count"]),
      views: readCount(post["video_views"]),
    }),
    native: omitUnknown<NativePost>({
      ...readMedia(post),
      code,
      caption: omitUnknown({ pk: readId(caption?.["id"]), created_at: readTimestamp(caption?.["created_time"]) }),
      carousel_media_count: parts.length || undefined,
      carousel_media: parts.length === 0 ? undefined : parts.map(readMedia),
    }),
  };
}

function readPublicApiUser(value: unknown): CapturedUser | undefined {
  const user = readObjectAt(value);
  return readUser({ ...user, profile_pic_url: user["profile_picture"] });
}

function readMedia(post: Fields): NativePost {
  const picture = readObjectAt(post, "images", "standard_resolution");
  const video = readObjectAt(post, "videos", "standard_resolution");
  const size = [readMeasure(picture["width"]), readMeasure(picture["height"])] as const;
  const media = toSingleMedia(readUrl(picture["url"]), readUrl(video["url"]), ...size);
  return omitUnknown<NativePost>({ ...media, media_type: MEDIA_TYPES.get(readText(post["type"]) ?? "") }) ?? {};
}
