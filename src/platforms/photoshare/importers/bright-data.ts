/**
 * Sets of Instagram profiles that vendors such as Bright Data sell, as JSON or as tables with lists as JSON in cells: the
 * name is in `account`, the posts are in `posts`. Without this reader only the places in them would be recognised.
 */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readId,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { collectUser, readUser } from "../recognise/captured-user.ts";
import { codeInUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";

const KEYS = ["profile_image_link", "posts_count", "profile_name", "avg_engagement", "highlights_count"];

export const brightData = defineProfileSet("bright-data", isProfile, readProfile);

function isProfile(record: Fields): boolean {
  const isNamed = typeof record["account"] === "string" && ("followers" in record || "fbid" in record);
  return isNamed && KEYS.filter((key) => key in record).length >= 2;
}

function readProfile(profile: Fields, collect: Collector): void {
  const author = readUser({
    pk: profile["id"],
    username: profile["account"],
    full_name: readFilledText(profile["full_name"]) ?? profile["profile_name"],
    biography: profile["biography"],
    is_verified: profile["is_verified"],
    is_private: profile["is_private"],
    follower_count: profile["followers"],
    following_count: profile["following"],
    media_count: profile["posts_count"],
    profile_pic_url: profile["profile_image_link"],
    external_url: firstText(profile["external_url"]),
    is_business: profile["is_business_account"],
    is_professional_account: profile["is_professional_account"],
    category: readFilledText(profile["business_category_name"]) ?? profile["category_name"],
    fbid: profile["fbid"],
  });
  if (author === undefined) return collect.refuse("account_without_id");
  collectUser(author, collect);
  for (const post of readObjects(profile["posts"])) collectPost(toCapturedPost(post), collect, { author });
}

/** One address, or a list of them. */
function firstText(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

const MEDIA_TYPES: Record<string, number> = {
  GraphImage: 1,
  Image: 1,
  GraphVideo: 2,
  Video: 2,
  Reel: 2,
  GraphSidecar: 8,
  Carousel: 8,
};

function toCapturedPost(post: Fields): CapturedPost {
  const code = codeInUrl(post["url"]);
  const type = MEDIA_TYPES[readText(post["content_type"]) ?? ""];
  const media = toSingleMedia(readUrl(post["image_url"]), readUrl(post["video_url"]), undefined, undefined);
  return {
    // Sets made by spreadsheets have rounded the ids, never the codes.
    id: postIdFromCode(code) ?? readId(post["id"]),
    publishedAt: readTimestamp(post["datetime"]),
    text: readText(post["caption"]),
    place: readPlace(firstText(post["location"])),
    counters: omitUnknown({ likes: readCount(post["likes"]), comments: readCount(post["comments"]) }),
    native: omitUnknown<NativePost>({ ...media, media_type: type ?? (media.video_versions ? 2 : undefined), code }),
  };
}
