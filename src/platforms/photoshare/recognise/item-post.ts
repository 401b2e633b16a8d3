/**
 * Posts of the item family (`XDTMediaDict`, or no type name) and of the partial one (`XIGPolaris…`): the same names,
 * but a partial object leaves out what its page did not show, so there an absent caption is not an empty one.
 */
import type { NativePost } from "../native.ts";
import { type CapturedPost, readAuthor } from "./captured-post.ts";
import { readPlace } from "./captured-place.ts";
import { readSound } from "./captured-sound.ts";
import { type CapturedUser, readUser } from "./captured-user.ts";
import {
  countOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  listOf,
  membersOf,
  numberOf,
  objectOf,
  objectsIn,
  secondsOf,
  textOf,
  wordOf,
} from "./field-readers.ts";
import { itemMedia, mediaTypeIn } from "./media-parts.ts";
import { postIdOfCode } from "./surroundings.ts";

/** Sure enough to be found anywhere: a kind of medium, and what only a post of this family has beside it. */
export function isItem(object: JsonObject): boolean {
  if ("shortcode" in object ? !("image_versions2" in object) : "taken_at_timestamp" in object) return false;
  const family = textOf(object["__typename"]) ?? "";
  if (family === "XDTMediaDict" || /^XIGPolaris(?:\w+)Media$/.test(family) || "_zs_partial" in object) return true;
  if (mediaTypeIn(object) === undefined && !("image_versions2" in object)) return false;
  return (
    (wordOf(object["code"]) !== undefined || wordOf(object["shortcode"]) !== undefined || "taken_at" in object) &&
    ["image_versions2", "video_versions", "carousel_media", "display_uri", "caption", "user"].some(
      (key) => key in object,
    )
  );
}

export function isAdvertisement(item: JsonObject): boolean {
  return (
    item["product_type"] === "ad" ||
    (item["ad_action"] ?? null) !== null ||
    (item["ad_id"] ?? null) !== null ||
    objectOf(item["injected"])?.["ad_id"] !== undefined ||
    (textOf(item["link"])?.startsWith("https://www.facebook.com/ads/") ?? false)
  );
}

/** Stories vanish after a day and are not posts. */
export function isStory(item: JsonObject): boolean {
  return item["product_type"] === "story" || /^(?:XDT)?GraphStory/.test(textOf(item["__typename"]) ?? "");
}

export function readItem(item: JsonObject): CapturedPost {
  const code = wordOf(item["code"]) ?? wordOf(item["shortcode"]);
  const joined = joinedIdOf(item["id"]);
  const caption = objectOf(item["caption"]);
  const hidden = flagOf(item["like_and_view_counts_disabled"]);
  const author = readAuthor(item);
  return {
    id: idOf(item["pk"]) ?? joined.post ?? postIdOfCode(code),
    ...author,
    author:
      author.author ?? (joined.author === undefined ? undefined : { id: joined.author, counters: {}, native: {} }),
    publishedAt: secondsOf(item["taken_at"]),
    title: wordOf(item["title"]),
    text: captionText(item, caption),
    tagged: taggedIn(item),
    place: readPlace(item["location"]),
    sound: readSound(item),
    durationS: durationOf(item["video_duration"]),
    counters:
      known({
        likes: hidden ? undefined : countOf(item["like_count"]),
        views: hidden ? undefined : viewsOf(item),
        comments: countOf(item["comment_count"]),
        shares: countOf(item["reshare_count"]),
      }) ?? {},
    native:
      known<NativePost>({
        ...itemMedia(item),
        ...flagsOf(item),
        code,
        __typename: wordOf(item["__typename"]),
        caption: known({ pk: idOf(caption?.["pk"]), created_at: secondsOf(caption?.["created_at"]) }),
      }) ?? {},
  };
}

export function viewsOf(item: JsonObject): number | undefined {
  const views = countOf(item["view_count"]) ?? countOf(item["video_view_count"]);
  const plays = countOf(item["play_count"]) ?? countOf(item["ig_play_count"]) ?? countOf(item["video_play_count"]);
  return viewsOrPlays(views, plays);
}

/** Views where the platform still counts them, else plays: it writes 0 views beside the plays of newer videos. */
export function viewsOrPlays(views: number | undefined, plays: number | undefined): number | undefined {
  return views ? views : (plays ?? views);
}

export function durationOf(value: unknown): number | undefined {
  const duration = numberOf(value);
  return duration !== undefined && duration > 0 ? duration : undefined;
}

/** What describes the post itself; not what its own author alone is shown, such as whether it could be promoted. */
export function flagsOf(item: JsonObject): NativePost {
  const pinned = listOf(item["timeline_pinned_user_ids"]);
  return {
    ...membersOf(item, ["product_type", "profile_grid_thumbnail_fitting_style", "preview"], wordOf),
    ...membersOf(item, ["like_and_view_counts_disabled", "comments_disabled"], flagOf),
    ...membersOf(item, ["media_cropping_info", "media_overlay_info", "thumbnails", "upcoming_event"], objectOf),
    ...known({
      audience: wordOf(item["audience"]),
      timeline_pinned_user_ids: pinned?.flatMap((id) => idOf(id) ?? []),
    }),
  };
}

function captionText(item: JsonObject, caption: JsonObject | undefined): string | undefined {
  const text = textOf(caption?.["text"]) ?? textOf(item["caption"]);
  const wholeObject = item["_zs_partial"] !== true && "taken_at" in item;
  return text ?? (item["caption"] === null && wholeObject ? "" : undefined);
}

/** In an album each part carries its own tags. */
function taggedIn(item: JsonObject): CapturedUser[] | undefined {
  const lists = [item, ...objectsIn(item["carousel_media"])].map((part) => objectOf(part["usertags"])?.["in"]);
  if (lists.every((list) => !Array.isArray(list))) return undefined;
  return lists.flatMap((list) => objectsIn(list).flatMap((tag) => readUser(tag["user"]) ?? []));
}

/** `<post>_<author>`; a prefix in capitals may stand before it. */
function joinedIdOf(value: unknown): { post?: string | undefined; author?: string | undefined } {
  if (typeof value !== "string") return { post: idOf(value) };
  const [post, author] = value.replace(/^[A-Z]+_/, "").split("_");
  return { post: idOf(post), author: idOf(author) };
}
