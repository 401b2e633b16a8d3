/**
 * gallery-dl metadata: one file per medium, so a post of ten pictures comes ten times. Each carries the post's data;
 * only the first medium is the cover, and the others must not replace it.
 */
import type { Collector, Importer } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readList,
  readMeasure,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { listGalleryDlObjects } from "#import/capture/gallery-dl.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { readAccountName, type CapturedUser, collectUser, readUser } from "../recognise/captured-user.ts";
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
  if (NOT_POSTS.has(readText(metadata["type"]) ?? "") || NOT_POSTS.has(readText(metadata["subcategory"]) ?? "")) {
    collect.skip("story");
  } else if (id !== undefined || code !== undefined) {
    collectPost(readPost(metadata, id, code), collect);
  } else {
    const user = readUser(metadata["user"]) ?? readUser(metadata);
    if (user === undefined) collect.refuse("post_without_id");
    else collectUser(user, collect);
  }
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
    publishedAt: readTimestamp(metadata["post_date"]) ?? readTimestamp(metadata["date"]),
    text: readText(metadata["description"]),
    hashtags: readList(metadata["tags"])?.flatMap((tag) => readFilledText(tag)?.replace(/^#/, "") ?? []),
    tagged: readList(metadata["tagged_users"])?.flatMap((user) => readUser(user) ?? []),
    place: readPlace({
      id: metadata["location_id"],
      // The slug is the place's name as written in its URL.
      name:
        readFilledText(metadata["location_name"]) ?? readFilledText(metadata["location_slug"])?.replaceAll("-", " "),
    }),
    counters: omitUnknown({ likes: readCount(metadata["likes"]), comments: readCount(metadata["comments"]) }),
    native: omitUnknown<NativePost>({ ...readCover(metadata), code }),
  };
}

function readCover(metadata: Fields): NativePost {
  const parts = readPositiveCount(metadata["count"]);
  const video = readUrl(metadata["video_url"]);
  const mediaType = parts !== undefined && parts > 1 ? 8 : video === undefined ? 1 : 2;
  const album: NativePost = {
    ...omitUnknown({ media_type: parts === undefined && video === undefined ? undefined : mediaType }),
    ...(mediaType === 8 ? { carousel_media_count: parts } : {}),
  };
  if ((readCount(metadata["num"]) ?? 1) > 1) return album;
  return {
    ...album,
    ...omitUnknown<NativePost>({
      ...toSingleMedia(
        readUrl(metadata["display_url"]),
        mediaType === 8 ? undefined : video,
        readMeasure(metadata["width"]),
        readMeasure(metadata["height"]),
      ),
      accessibility_caption: readFilledText(metadata["accessibility_caption"]),
      like_and_view_counts_disabled: readFlag(metadata["like_and_view_counts_disabled"]),
    }),
  };
}
