/**
 * Posts in Instagram's item format (`XDTMediaDict`, or no type name) and its partial variant (`XIGPolaris…`), which
 * leaves out what its page did not show: there a missing caption is unknown, not empty.
 */
import type { Counters } from "#domain/record.ts";
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
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPost, readAuthor } from "./captured-post.ts";
import { readPlace } from "./captured-place.ts";
import { readSound } from "./captured-sound.ts";
import { type CapturedUser, readUser } from "./captured-user.ts";
import { readItemMedia, readMediaType } from "./media-parts.ts";
import { postIdFromCode } from "./enclosing-context.ts";

/** Specific enough to match anywhere: a media type, and keys that only a post in this format has. */
export function isItem(object: Fields): boolean {
  if ("shortcode" in object ? !("image_versions2" in object) : "taken_at_timestamp" in object) return false;
  const typeName = readText(object["__typename"]) ?? "";
  if (typeName === "XDTMediaDict" || /^XIGPolaris(?:\w+)Media$/.test(typeName) || "_zs_partial" in object) return true;
  if (readMediaType(object) === undefined && !("image_versions2" in object)) return false;
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

/** Stories expire after a day and are not posts. */
export function isStory(item: Fields): boolean {
  return item["product_type"] === "story" || /^(?:XDT)?GraphStory/.test(readText(item["__typename"]) ?? "");
}

export function readItem(item: Fields): CapturedPost {
  const code = readFilledText(item["code"]) ?? readFilledText(item["shortcode"]);
  const joined = splitJoinedId(item["id"]);
  const caption = readObject(item["caption"]);
  const hidden = readFlag(item["like_and_view_counts_disabled"]);
  const author = readAuthor(item);
  const played = hidden ? undefined : readPlays(item);
  return {
    id: readId(item["pk"]) ?? joined.post ?? postIdFromCode(code),
    ...author,
    author: author.author ?? (joined.author === undefined ? undefined : { id: joined.author }),
    publishedAt: readTimestamp(item["taken_at"]),
    title: readText(item["title"]),
    text: readCaption(item, caption),
    tagged: readTaggedUsers(item),
    place: readPlace(item["location"]),
    sound: readSound(item),
    durationS: readDuration(item["video_duration"]),
    counters: omitUnknown({
      likes: hidden ? undefined : readCount(item["like_count"]),
      ...played?.counters,
      comments: readCount(item["comment_count"]),
      shares: readCount(item["reshare_count"]),
    }),
    native: omitUnknown<NativePost>({
      ...readItemMedia(item),
      ...readFlags(item),
      ...played?.native,
      code,
      __typename: readFilledText(item["__typename"]),
      caption: omitUnknown({ pk: readId(caption?.["pk"]), created_at: readTimestamp(caption?.["created_at"]) }),
    }),
  };
}

export function readPlays(item: Fields): Played {
  const views = readCount(item["view_count"]) ?? readCount(item["video_view_count"]);
  const plays =
    readCount(item["play_count"]) ?? readCount(item["ig_play_count"]) ?? readCount(item["video_play_count"]);
  return preferPlays(views, plays);
}

interface Played {
  counters: Pick<Counters, "views" | "plays">;
  native: Pick<NativePost, "view_count">;
}

/** Plays where they are known: Instagram calls them views by now. The views of old are fewer, and 0 for newer videos. */
export function preferPlays(views: number | undefined, plays: number | undefined): Played {
  if (plays === undefined || (plays === 0 && views)) return { counters: omitUnknown({ views }) ?? {}, native: {} };
  return { counters: { views: plays, plays }, native: views ? { view_count: views } : {} };
}

export function readDuration(value: unknown): number | undefined {
  const duration = readNumber(value);
  return duration !== undefined && duration > 0 ? duration : undefined;
}

/** Only what describes the post, not what only its author sees, such as whether it can be promoted. */
export function readFlags(item: Fields): NativePost {
  const pinned =
    readList(item["timeline_pinned_user_ids"]) ??
    // In the graph format, they are users.
    readList(item["pinned_for_users"])?.map((user) => readObjectAt(user)["id"]);
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

function readCaption(item: Fields, caption: Fields | undefined): string | undefined {
  const text = readText(caption?.["text"]) ?? readText(item["caption"]);
  const isComplete = item["_zs_partial"] !== true && "taken_at" in item;
  return text ?? (item["caption"] === null && isComplete ? "" : undefined);
}

/** In an album, each part has its own tags. */
function readTaggedUsers(item: Fields): CapturedUser[] | undefined {
  const parts = [item, ...readObjects(item["carousel_media"])];
  const lists = parts.map((part) => readObject(part["usertags"])?.["in"] ?? part["tagged_users"]);
  if (lists.every((list) => !Array.isArray(list))) return undefined;
  return lists.flatMap((list) => readObjects(list).flatMap((tag) => readUser(tag["user"]) ?? []));
}

/** `<post>_<author>`, possibly after a prefix in capitals. */
function splitJoinedId(value: unknown): { post?: string | undefined; author?: string | undefined } {
  if (typeof value !== "string") return { post: readId(value) };
  const [post, author] = value.replace(/^[A-Z]+_/, "").split("_");
  return { post: readId(post), author: readId(author) };
}
