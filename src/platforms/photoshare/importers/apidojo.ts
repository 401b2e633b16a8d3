/** Instagram posts by apidojo's actors on Apify, which have other names than Apify's own. */
import type { Counters } from "#domain/record.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readMeasure,
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
  type WithUnknown,
} from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import { collectPost } from "../recognise/captured-post.ts";
import type { CapturedSound } from "../recognise/captured-sound.ts";
import { readUser } from "../recognise/captured-user.ts";
import { codeInUrl, parseInstagramUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { preferPlays, readDuration } from "../recognise/item-post.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";

const KEYS = ["createdAt", "likeCount", "commentCount", "isCarousel"];

export const apidojo = defineProfileSet("apidojo", isPost, (post, collect) => {
  const code = readCode(post);
  const owner = readObjectAt(post, "owner");
  collectPost(
    {
      id: postIdFromCode(code) ?? readId(post["id"]),
      author: readUser({
        pk: owner["id"],
        username: owner["username"],
        full_name: owner["fullName"],
        is_verified: owner["isVerified"],
        is_private: owner["isPrivate"],
        follower_count: owner["followerCount"],
        profile_pic_url: owner["profilePicUrl"],
      }),
      publishedAt: readTimestamp(post["createdAt"]),
      text: readText(post["caption"]) ?? (post["caption"] === null ? "" : undefined),
      place: readPlace(post["location"]),
      sound: readSound(readObjectAt(post, "audio")),
      durationS: readDuration(readObjectAt(post, "video")["duration"]),
      counters: readCounters(post),
      native: omitUnknown<NativePost>({
        ...readMedia(post),
        code,
        like_and_view_counts_disabled: readFlag(post["isLikeAndViewCountsDisabled"]),
      }),
    },
    collect,
  );
});

function isPost(record: Fields): boolean {
  return readCode(record) !== undefined && KEYS.every((key) => key in record);
}

function readCode(post: Fields): string | undefined {
  return codeInUrl(parseInstagramUrl(readText(post["url"]))?.pathname);
}

function readCounters(post: Fields): Counters | undefined {
  const isHidden = readFlag(post["isLikeAndViewCountsDisabled"]) === true;
  return omitUnknown({
    likes: isHidden ? undefined : readCount(post["likeCount"]),
    ...(isHidden ? undefined : preferPlays(undefined, readCount(readObjectAt(post, "video")["playCount"])).counters),
    comments: readCount(post["commentCount"]),
  });
}

function readMedia(post: Fields): WithUnknown<NativePost> {
  const isAlbum = readFlag(post["isCarousel"]) === true;
  const parts = isAlbum ? readObjects(post["carouselMedia"]).map(readPart) : [];
  return {
    ...readPart(post),
    ...(isAlbum ? { media_type: 8, video_versions: undefined } : {}),
    ...(parts.length > 0 ? { carousel_media: parts, carousel_media_count: parts.length } : {}),
  };
}

function readPart(part: Fields): NativePost {
  const [image, video] = [readObjectAt(part, "image"), readObjectAt(part, "video")];
  const videoUrl = readUrl(video["url"]);
  const isVideo = readFlag(part["isVideo"]) ?? (videoUrl === undefined ? undefined : true);
  const size = omitUnknown({ width: readMeasure(image["width"]), height: readMeasure(image["height"]) });
  return (
    omitUnknown<NativePost>({
      ...toSingleMedia(readUrl(image["url"]), videoUrl, size?.width, size?.height),
      media_type: isVideo === undefined ? undefined : isVideo ? 2 : 1,
    }) ?? {}
  );
}

function readSound(audio: Fields): CapturedSound | undefined {
  const id = readId(audio["id"]);
  return id === undefined
    ? undefined
    : { id, title: readFilledText(audio["title"]), artistName: readFilledText(audio["artist"]) };
}
