/** A post as Apify's actors write it, under the item family's names. */
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readList,
  readMeasure,
  readObject,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import type { CapturedPlace } from "../recognise/captured-place.ts";
import type { CapturedPost } from "../recognise/captured-post.ts";
import type { CapturedSound } from "../recognise/captured-sound.ts";
import { accountNameOf, type CapturedUser, readUser } from "../recognise/captured-user.ts";
import { durationOf, viewsOrPlays } from "../recognise/item-post.ts";
import { imagesAs } from "../recognise/media-parts.ts";
import { postIdOfCode } from "../recognise/enclosing-context.ts";

const MEDIA_TYPES: Record<string, number> = { Image: 1, Video: 2, Sidecar: 8 };

export function readApifyPost(item: Fields): CapturedPost {
  const code = readFilledText(item["shortCode"]);
  const hidden = readFlag(item["likeAndViewCountsDisabled"]);
  const text = readText(item["caption"]) ?? (item["caption"] === null ? "" : undefined);
  return {
    id: readId(item["id"]) ?? postIdOfCode(code),
    author: authorOf(item),
    publishedAt: readTimestamp(item["timestamp"]),
    title: readFilledText(item["title"]),
    text,
    hashtags: readList(item["hashtags"])?.flatMap((name) => readFilledText(name)?.replace(/^#/, "") ?? []),
    tagged: taggedIn(item["taggedUsers"]),
    place: placeOf(item),
    sound: soundOf(readObject(item["musicInfo"])),
    durationS: durationOf(item["videoDuration"]),
    counters:
      omitUnknown({
        likes: hidden ? undefined : readCount(item["likesCount"]),
        views: hidden ? undefined : viewsOrPlays(readCount(item["videoViewCount"]), readCount(item["videoPlayCount"])),
        comments: readCount(item["commentsCount"]),
      }) ?? {},
    native: omitUnknown<NativePost>({ ...mediaOf(item), code, ...flagsOf(item) }) ?? {},
  };
}

function mediaOf(item: Fields): NativePost {
  const shown = readUrl(item["displayUrl"]);
  const film = readUrl(item["videoUrl"]);
  const width = readMeasure(item["dimensionsWidth"]);
  const height = readMeasure(item["dimensionsHeight"]);
  const size = omitUnknown({ width, height });
  const parts = readObjects(item["childPosts"]);
  const pictures = (readList(item["images"]) ?? []).flatMap((url) => readUrl(url) ?? []);
  return (
    omitUnknown<NativePost>({
      media_type: MEDIA_TYPES[readText(item["type"]) ?? ""],
      display_uri: shown,
      image_versions2: imagesAs(shown === undefined ? [] : [{ url: shown, ...size }]),
      video_versions: film === undefined ? undefined : [{ url: film, ...size }],
      original_width: width,
      original_height: height,
      accessibility_caption: readFilledText(item["alt"]),
      carousel_media_count: parts.length || pictures.length || undefined,
      carousel_media: parts.length > 0 ? parts.map(partOf) : partsOfPictures(pictures),
    }) ?? {}
  );
}

function partOf(part: Fields): NativePost {
  return {
    ...omitUnknown({ pk: readId(part["id"]), code: readFilledText(part["shortCode"]) }),
    ...mediaOf({ ...part, childPosts: [] }),
  };
}

function partsOfPictures(pictures: readonly string[]): NativePost[] | undefined {
  return pictures.length === 0 ? undefined : pictures.map((url) => ({ image_versions2: { candidates: [{ url }] } }));
}

function flagsOf(item: Fields): NativePost {
  return (
    omitUnknown<NativePost>({
      product_type: readFilledText(item["productType"]),
      comments_disabled: readFlag(item["isCommentsDisabled"]),
      like_and_view_counts_disabled: readFlag(item["likeAndViewCountsDisabled"]),
    }) ?? {}
  );
}

function authorOf(item: Fields): CapturedUser | undefined {
  const id = readId(item["ownerId"]);
  const name = accountNameOf(item["ownerUsername"]);
  if (id === undefined && name === undefined) return undefined;
  return { id, name, displayName: readText(item["ownerFullName"]), counters: {}, native: {} };
}

/** Objects in newer exports, names in older ones. */
function taggedIn(value: unknown): CapturedUser[] | undefined {
  return readList(value)?.flatMap((user) => readUser(typeof user === "string" ? { username: user } : user) ?? []);
}

function placeOf(item: Fields): CapturedPlace | undefined {
  const id = readId(item["locationId"]);
  const name = readFilledText(item["locationName"]);
  return id === undefined || name === undefined ? undefined : { id, name, counters: {}, native: {} };
}

function soundOf(music: Fields | undefined): CapturedSound | undefined {
  const id = readId(music?.["audio_id"]);
  if (music === undefined || id === undefined) return undefined;
  return { id, title: readFilledText(music["song_name"]), artistName: readFilledText(music["artist_name"]) };
}
