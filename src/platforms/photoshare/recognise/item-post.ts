/**
 * Posts of the item family (`XDTMediaDict`, or no type name) and of the partial one (`XIGPolaris…`): the same names,
 * but a partial object leaves out what its page did not show, so there an absent caption is not an empty one.
 */
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readList,
  readMembers,
  readNumber,
  readObject,
  readObjects,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPost, readAuthor } from "./captured-post.ts";
import { readPlace } from "./captured-place.ts";
import { readSound } from "./captured-sound.ts";
import { type CapturedUser, readUser } from "./captured-user.ts";
import { itemMedia, mediaTypeIn } from "./media-parts.ts";
import { postIdOfCode } from "./enclosing-context.ts";

/** Sure enough to be found anywhere: a kind of medium, and what only a post of this family has beside it. */
export function isItem(object: Fields): boolean {
  if ("shortcode" in object ? !("image_versions2" in object) : "taken_at_timestamp" in object) return false;
  const family = readText(object["__typename"]) ?? "";
  if (family === "XDTMediaDict" || /^XIGPolaris(?:\w+)Media$/.test(family) || "_zs_partial" in object) return true;
  if (mediaTypeIn(object) === undefined && !("image_versions2" in object)) return false;
  return (
    (readFilledText(object["code"]) !== undefined ||
      readFilledText(object["shortcode"]) !== undefined ||
      "taken_at" in object) &&
    ["image_versions2", "video_versions", "carousel_media", "display_uri", "caption", "user"].some(
      (key) => key in object,
    )
  );
}

export function isAdvertisement(item: Fields): boolean {
  return (
    item["product_type"] === "ad" ||
    (item["ad_action"] ?? null) !== null ||
    (item["ad_id"] ?? null) !== null ||
    readObject(item["injected"])?.["ad_id"] !== undefined ||
    (readText(item["link"])?.startsWith("https://www.facebook.com/ads/") ?? false)
  );
}

/** Stories vanish after a day and are not posts. */
export function isStory(item: Fields): boolean {
  return item["product_type"] === "story" || /^(?:XDT)?GraphStory/.test(readText(item["__typename"]) ?? "");
}

export function readItem(item: Fields): CapturedPost {
  const code = readFilledText(item["code"]) ?? readFilledText(item["shortcode"]);
  const joined = joinedIdOf(item["id"]);
  const caption = readObject(item["caption"]);
  const hidden = readFlag(item["like_and_view_counts_disabled"]);
  const author = readAuthor(item);
  return {
    id: readId(item["pk"]) ?? joined.post ?? postIdOfCode(code),
    ...author,
    author:
      author.author ?? (joined.author === undefined ? undefined : { id: joined.author, counters: {}, native: {} }),
    publishedAt: readTimestamp(item["taken_at"]),
    title: readFilledText(item["title"]),
    text: captionText(item, caption),
    tagged: taggedIn(item),
    place: readPlace(item["location"]),
    sound: readSound(item),
    durationS: durationOf(item["video_duration"]),
    counters:
      omitUnknown({
        likes: hidden ? undefined : readCount(item["like_count"]),
        views: hidden ? undefined : viewsOf(item),
        comments: readCount(item["comment_count"]),
        shares: readCount(item["reshare_count"]),
      }) ?? {},
    native:
      omitUnknown<NativePost>({
        ...itemMedia(item),
        ...flagsOf(item),
        code,
        __typename: readFilledText(item["__typename"]),
        caption: omitUnknown({ pk: readId(caption?.["pk"]), created_at: readTimestamp(caption?.["created_at"]) }),
      }) ?? {},
  };
}

export function viewsOf(item: Fields): number | undefined {
  const views = readCount(item["view_count"]) ?? readCount(item["video_view_count"]);
  const plays =
    readCount(item["play_count"]) ?? readCount(item["ig_play_count"]) ?? readCount(item["video_play_count"]);
  return viewsOrPlays(views, plays);
}

/** Views where the platform still counts them, else plays: it writes 0 views beside the plays of newer videos. */
export function viewsOrPlays(views: number | undefined, plays: number | undefined): number | undefined {
  return views ? views : (plays ?? views);
}

export function durationOf(value: unknown): number | undefined {
  const duration = readNumber(value);
  return duration !== undefined && duration > 0 ? duration : undefined;
}

/** What describes the post itself; not what its own author alone is shown, such as whether it could be promoted. */
export function flagsOf(item: Fields): NativePost {
  const pinned = readList(item["timeline_pinned_user_ids"]);
  return {
    ...readMembers(item, ["product_type", "profile_grid_thumbnail_fitting_style", "preview"], readFilledText),
    ...readMembers(item, ["like_and_view_counts_disabled", "comments_disabled"], readFlag),
    ...readMembers(item, ["media_cropping_info", "media_overlay_info", "thumbnails", "upcoming_event"], readObject),
    ...omitUnknown({
      audience: readFilledText(item["audience"]),
      timeline_pinned_user_ids: pinned?.flatMap((id) => readId(id) ?? []),
    }),
  };
}

function captionText(item: Fields, caption: Fields | undefined): string | undefined {
  const text = readText(caption?.["text"]) ?? readText(item["caption"]);
  const wholeObject = item["_zs_partial"] !== true && "taken_at" in item;
  return text ?? (item["caption"] === null && wholeObject ? "" : undefined);
}

/** In an album each part carries its own tags. */
function taggedIn(item: Fields): CapturedUser[] | undefined {
  const lists = [item, ...readObjects(item["carousel_media"])].map((part) => readObject(part["usertags"])?.["in"]);
  if (lists.every((list) => !Array.isArray(list))) return undefined;
  return lists.flatMap((list) => readObjects(list).flatMap((tag) => readUser(tag["user"]) ?? []));
}

/** `<post>_<author>`; a prefix in capitals may stand before it. */
function joinedIdOf(value: unknown): { post?: string | undefined; author?: string | undefined } {
  if (typeof value !== "string") return { post: readId(value) };
  const [post, author] = value.replace(/^[A-Z]+_/, "").split("_");
  return { post: readId(post), author: readId(author) };
}
