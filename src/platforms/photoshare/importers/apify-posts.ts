/** Posts by Apify actors, mapped to the names of Instagram's item format. */
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
  readUrls,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import type { CapturedPost } from "../recognise/captured-post.ts";
import type { CapturedSound } from "../recognise/captured-sound.ts";
import { readAccountName, type CapturedUser, readUsers } from "../recognise/captured-user.ts";
import { readHashtagName } from "../recognise/hashtags.ts";
import { preferPlays, readDuration } from "../recognise/item-post.ts";
import { toPictureAlbum, toSingleMedia } from "../recognise/media-parts.ts";
import { codeInUrl, postIdFromCode } from "../recognise/enclosing-context.ts";

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(Object.entries({ Image: 1, Video: 2, Sidecar: 8 }));

export function readApifyPost(item: Fields): CapturedPost {
  const code = readFilledText(item["shortCode"]) ?? codeInUrl(item["url"]);
  const hidden = readFlag(item["likeAndViewCountsDisabled"]);
  const played = hidden ? undefined : preferPlays(readCount(item["videoViewCount"]), readCount(item["videoPlayCount"]));
  const ownerId = readId(item["ownerId"]);
  const text = readText(item["caption"]) ?? (item["caption"] === null ? "" : undefined);
  return {
    // Spreadsheets round long ids, never the codes.
    id: postIdFromCode(code) ?? readId(item["id"]),
    author: readAuthor(item),
    coauthors: readUsers(item["coauthorProducers"]),
    publishedAt: readTimestamp(item["timestamp"]),
    title: readText(item["title"]),
    text,
    hashtags: readList(item["hashtags"])?.flatMap((name) => readHashtagName(name) ?? []),
    tagged: readUsers(item["taggedUsers"]),
    place: readPlace({ id: item["locationId"], name: item["locationName"] }),
    sound: readSound(readObject(item["musicInfo"])),
    durationS: readDuration(item["videoDuration"]),
    counters: omitUnknown({
      likes: hidden ? undefined : readCount(item["likesCount"]),
      ...played?.counters,
      comments: readCount(item["commentsCount"]),
    }),
    native: omitUnknown<NativePost>({
      ...readMedia(item),
      ...played?.native,
      code,
      product_type: readFilledText(item["productType"]),
      comments_disabled: readFlag(item["isCommentsDisabled"]),
      like_and_view_counts_disabled: hidden,
      timeline_pinned_user_ids: readFlag(item["isPinned"]) && ownerId !== undefined ? [ownerId] : undefined,
    }),
  };
}

function readMedia(item: Fields): NativePost | undefined {
  const parts = readObjects(item["childPosts"]);
  const pictures = readUrls(item["images"]);
  return omitUnknown<NativePost>({
    ...toSingleMedia(
      readUrl(item["displayUrl"]),
      readUrl(item["videoUrl"]),
      readMeasure(item["dimensionsWidth"]),
      readMeasure(item["dimensionsHeight"]),
    ),
    media_type: MEDIA_TYPES.get(readText(item["type"]) ?? ""),
    accessibility_caption: readFilledText(item["alt"]),
    carousel_media_count: parts.length || pictures?.length,
    carousel_media: parts.length > 0 ? parts.map(readAlbumPart) : toPictureAlbum(pictures),
  });
}

function readAlbumPart(part: Fields): NativePost {
  return {
    ...omitUnknown({ pk: readId(part["id"]), code: readFilledText(part["shortCode"]) }),
    ...readMedia({ ...part, childPosts: [] }),
  };
}

function readAuthor(item: Fields): CapturedUser | undefined {
  const id = readId(item["ownerId"]);
  const name = readAccountName(item["ownerUsername"]);
  if (id === undefined && name === undefined) return undefined;
  return { id, name, displayName: readText(item["ownerFullName"]) };
}

function readSound(music: Fields | undefined): CapturedSound | undefined {
  const id = readId(music?.["audio_id"]);
  if (music === undefined || id === undefined) return undefined;
  return { id, title: readFilledText(music["song_name"]), artistName: readFilledText(music["artist_name"]) };
}
