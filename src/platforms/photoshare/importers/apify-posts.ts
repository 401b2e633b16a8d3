/** A post as Apify's actors write it, under the item family's names. */
import type { NativePost } from "../native.ts";
import type { CapturedPlace } from "../recognise/captured-place.ts";
import type { CapturedPost } from "../recognise/captured-post.ts";
import type { CapturedSound } from "../recognise/captured-sound.ts";
import { accountNameOf, type CapturedUser, readUser } from "../recognise/captured-user.ts";
import {
  countOf,
  extentOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  listOf,
  objectOf,
  objectsIn,
  secondsOfDate,
  textOf,
  webAddressOf,
  wordOf,
} from "../recognise/field-readers.ts";
import { durationOf, viewsOrPlays } from "../recognise/item-post.ts";
import { imagesAs } from "../recognise/media-parts.ts";
import { postIdOfCode } from "../recognise/surroundings.ts";

const MEDIA_TYPES: Record<string, number> = { Image: 1, Video: 2, Sidecar: 8 };

export function readApifyPost(item: JsonObject): CapturedPost {
  const code = wordOf(item["shortCode"]);
  const hidden = flagOf(item["likeAndViewCountsDisabled"]);
  const text = textOf(item["caption"]) ?? (item["caption"] === null ? "" : undefined);
  return {
    id: idOf(item["id"]) ?? postIdOfCode(code),
    author: authorOf(item),
    publishedAt: secondsOfDate(item["timestamp"]),
    title: wordOf(item["title"]),
    text,
    hashtags: listOf(item["hashtags"])?.flatMap((name) => wordOf(name)?.replace(/^#/, "") ?? []),
    tagged: taggedIn(item["taggedUsers"]),
    place: placeOf(item),
    sound: soundOf(objectOf(item["musicInfo"])),
    durationS: durationOf(item["videoDuration"]),
    counters:
      known({
        likes: hidden ? undefined : countOf(item["likesCount"]),
        views: hidden ? undefined : viewsOrPlays(countOf(item["videoViewCount"]), countOf(item["videoPlayCount"])),
        comments: countOf(item["commentsCount"]),
      }) ?? {},
    native: known<NativePost>({ ...mediaOf(item), code, ...flagsOf(item) }) ?? {},
  };
}

function mediaOf(item: JsonObject): NativePost {
  const shown = webAddressOf(item["displayUrl"]);
  const film = webAddressOf(item["videoUrl"]);
  const width = extentOf(item["dimensionsWidth"]);
  const height = extentOf(item["dimensionsHeight"]);
  const size = known({ width, height });
  const parts = objectsIn(item["childPosts"]);
  const pictures = (listOf(item["images"]) ?? []).flatMap((url) => webAddressOf(url) ?? []);
  return (
    known<NativePost>({
      media_type: MEDIA_TYPES[textOf(item["type"]) ?? ""],
      display_uri: shown,
      image_versions2: imagesAs(shown === undefined ? [] : [{ url: shown, ...size }]),
      video_versions: film === undefined ? undefined : [{ url: film, ...size }],
      original_width: width,
      original_height: height,
      accessibility_caption: wordOf(item["alt"]),
      carousel_media_count: parts.length || pictures.length || undefined,
      carousel_media: parts.length > 0 ? parts.map(partOf) : partsOfPictures(pictures),
    }) ?? {}
  );
}

function partOf(part: JsonObject): NativePost {
  return {
    ...known({ pk: idOf(part["id"]), code: wordOf(part["shortCode"]) }),
    ...mediaOf({ ...part, childPosts: [] }),
  };
}

function partsOfPictures(pictures: readonly string[]): NativePost[] | undefined {
  return pictures.length === 0 ? undefined : pictures.map((url) => ({ image_versions2: { candidates: [{ url }] } }));
}

function flagsOf(item: JsonObject): NativePost {
  return (
    known<NativePost>({
      product_type: wordOf(item["productType"]),
      comments_disabled: flagOf(item["isCommentsDisabled"]),
      like_and_view_counts_disabled: flagOf(item["likeAndViewCountsDisabled"]),
    }) ?? {}
  );
}

function authorOf(item: JsonObject): CapturedUser | undefined {
  const id = idOf(item["ownerId"]);
  const name = accountNameOf(item["ownerUsername"]);
  if (id === undefined && name === undefined) return undefined;
  return { id, name, displayName: textOf(item["ownerFullName"]), counters: {}, native: {} };
}

/** Objects in newer exports, names in older ones. */
function taggedIn(value: unknown): CapturedUser[] | undefined {
  return listOf(value)?.flatMap((user) => readUser(typeof user === "string" ? { username: user } : user) ?? []);
}

function placeOf(item: JsonObject): CapturedPlace | undefined {
  const id = idOf(item["locationId"]);
  const name = wordOf(item["locationName"]);
  return id === undefined || name === undefined ? undefined : { id, name, counters: {}, native: {} };
}

function soundOf(music: JsonObject | undefined): CapturedSound | undefined {
  const id = idOf(music?.["audio_id"]);
  if (music === undefined || id === undefined) return undefined;
  return { id, title: wordOf(music["song_name"]), artistName: wordOf(music["artist_name"]) };
}
