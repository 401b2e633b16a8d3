/**
 * gallery-dl metadata: one file per medium, so a post of ten pictures comes ten times. Each carries the post's data;
 * only the first medium is the cover, and the others must not replace it.
 */
import type { Collector, Importer } from "#api/importer.ts";
import { EXCERPT } from "#domain/approximate.ts";
import {
  type Fields,
  nonEmpty,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readItems,
  readList,
  readMeasure,
  readObjectAt,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { listGalleryDlObjects } from "#import/capture/gallery-dl.ts";
import type { NativePost } from "../native.ts";
import { type CapturedPlace, readPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { readAccountName, type CapturedUser, collectUser, readUser } from "../recognise/captured-user.ts";
import { readHashtagName } from "../recognise/hashtags.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";
import { postIdFromCode } from "../recognise/enclosing-context.ts";

export const galleryDl: Importer = {
  name: "gallery-dl",

  detects(document) {
    return document.kind === "json" && listGalleryDlObjects(document.value).some(isInstagram);
  },

  read(document, _file, collect) {
    for (const metadata of listGalleryDlObjects(document.value)) {
      if (isInstagram(metadata)) readMetadata(metadata, collect);
      else collect.refuse("unknown_record");
    }
  },
};

function isInstagram(metadata: Fields): boolean {
  return metadata["category"] === "instagram" && "subcategory" in metadata;
}

const NOT_POSTS = new Set(["story", "stories", "highlight", "highlights"]);

function readMetadata(metadata: Fields, collect: Collector): void {
  const code = readFilledText(metadata["post_shortcode"]) ?? readFilledText(metadata["shortcode"]);
  const id = readId(metadata["post_id"]) ?? postIdFromCode(metadata["post_shortcode"]);
  const profile = readProfile(metadata["user"]);
  if (profile !== undefined) collectUser(profile, collect);
  if (NOT_POSTS.has(readText(metadata["type"]) ?? "") || NOT_POSTS.has(readText(metadata["subcategory"]) ?? "")) {
    collect.skip("story");
  } else if (metadata["subcategory"] === "avatar") {
    collect.skip("a profile picture, which is not a post");
  } else if (id !== undefined || code !== undefined) {
    collectPost(readPost(metadata, id, code), collect, { hashtag: readHashtagName(metadata["tag"]) });
  } else if (profile === undefined) {
    const user = readProfile(metadata);
    if (user === undefined) collect.refuse("post_without_id");
    else collectUser(user, collect);
  }
}

/** The profile whose posts were listed. The tool has names of its own for its counts, and writes 0 for those it lacks. */
function readProfile(value: unknown): CapturedUser | undefined {
  const profile = readObjectAt(value);
  return readUser({
    ...profile,
    follower_count: profile["follower_count"] ?? readPositiveCount(profile["count_followed"]),
    following_count: profile["following_count"] ?? readPositiveCount(profile["count_follow"]),
    media_count: profile["media_count"] ?? readPositiveCount(profile["count_media"]),
  });
}

function readPost(metadata: Fields, id: string | undefined, code: string | undefined): CapturedPost {
  const author: CapturedUser = {
    id: readId(metadata["owner_id"]),
    name: readAccountName(metadata["username"]),
    displayName: readText(metadata["fullname"]),
  };
  return {
    id: id ?? postIdFromCode(code),
    author: author.id === undefined && author.name === undefined ? undefined : author,
    coauthors: readList(metadata["coauthors"])?.flatMap((user) => readUser(user) ?? []),
    publishedAt: readTimestamp(metadata["post_date"]) ?? readTimestamp(metadata["date"]),
    text: readText(metadata["description"]),
    hashtags: readList(metadata["tags"])?.flatMap((tag) => readHashtagName(tag) ?? []),
    tagged: readTagged(metadata),
    place: readPlaceOf(metadata),
    // The tool writes 0 for likes that it was not given.
    counters: omitUnknown({ likes: readPositiveCount(metadata["likes"]), comments: readCount(metadata["comments"]) }),
    native: omitUnknown<NativePost>({
      ...readCover(metadata),
      timeline_pinned_user_ids: nonEmpty(readItems(metadata["pinned"]).flatMap((user) => readId(user) ?? [])),
      code,
    }),
  };
}

/** The slug is the place's name as written in its URL, without capitals and signs. */
function readPlaceOf(metadata: Fields): CapturedPlace | undefined {
  const { location_id: id, location_name, location_slug } = metadata;
  const name = readFilledText(location_name);
  if (name !== undefined) return readPlace({ id, name });
  const place = readPlace({ id, name: readFilledText(location_slug)?.replaceAll("-", " ") });
  return place === undefined ? undefined : { ...place, approximate: { name: EXCERPT } };
}

/** Those tagged in this medium, and the account whose tagged posts were listed. */
function readTagged(metadata: Fields): CapturedUser[] | undefined {
  const { tagged_owner_id: id, tagged_username: username, tagged_full_name: full_name } = metadata;
  const owner = readUser({ id, username, full_name });
  const tagged = readList(metadata["tagged_users"])?.flatMap((user) => readUser(user) ?? []);
  return owner === undefined ? tagged : [...(tagged ?? []), owner];
}

function readCover(metadata: Fields): NativePost {
  const parts = readPositiveCount(metadata["count"]);
  const video = readUrl(metadata["video_url"]);
  // Older versions do not count the parts of an album.
  const isAlbum = parts === undefined ? readId(metadata["sidecar_media_id"]) !== undefined : parts > 1;
  const mediaType = isAlbum ? 8 : video === undefined ? 1 : 2;
  const isKnown = isAlbum || parts !== undefined || video !== undefined;
  const album: NativePost = {
    ...omitUnknown({
      media_type: isKnown ? mediaType : undefined,
      carousel_media_count: isAlbum ? parts : undefined,
    }),
  };
  if ((readCount(metadata["num"]) ?? 1) > 1) return album;
  return {
    ...album,
    ...omitUnknown<NativePost>({
      ...toSingleMedia(
        readUrl(metadata["display_url"]),
        isAlbum ? undefined : video,
        readMeasure(metadata["width"]),
        readMeasure(metadata["height"]),
      ),
      accessibility_caption: readFilledText(metadata["accessibility_caption"]),
      like_and_view_counts_disabled: readFlag(metadata["like_and_view_counts_disabled"]),
    }),
  };
}
