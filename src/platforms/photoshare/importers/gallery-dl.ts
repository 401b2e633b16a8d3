/**
 * gallery-dl's metadata: a file per medium, so a post of ten pictures comes ten times. Every one carries the post's
 * facts; only the first medium is the post's cover, and the others do not replace it.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
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
  readPositiveCount,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import type { CapturedPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { accountNameOf, type CapturedUser, collectUser, readUser } from "../recognise/captured-user.ts";
import { imagesAs } from "../recognise/media-parts.ts";
import { postIdOfCode } from "../recognise/enclosing-context.ts";

export const galleryDl: Importer = {
  name: "gallery-dl",

  detects(document) {
    return document.kind === "json" && metadataIn(document).some(isOurs);
  },

  read(document, _file, collect) {
    for (const metadata of metadataIn(document)) {
      if (isOurs(metadata)) readMetadata(metadata, collect);
      else collect.refuse("unknown_record");
    }
  },
};

/** A file of its own, or the output of `gallery-dl -j`: rows of a number, an address and the metadata. */
function metadataIn({ value }: SourceDocument): Fields[] {
  const single = readObject(value);
  if (single !== undefined) return [single];
  return (readList(value) ?? []).flatMap((entry) => {
    const metadata = readObject(entry);
    return metadata === undefined ? readObjects(entry) : [metadata];
  });
}

function isOurs(metadata: Fields): boolean {
  return metadata["category"] === "instagram" && "subcategory" in metadata;
}

const NOT_POSTS = new Set(["story", "stories", "highlight", "highlights"]);

function readMetadata(metadata: Fields, collect: Collector): void {
  const code = readFilledText(metadata["post_shortcode"]) ?? readFilledText(metadata["shortcode"]);
  const id = readId(metadata["post_id"]) ?? postIdOfCode(metadata["post_shortcode"]);
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
    name: accountNameOf(metadata["username"]),
    displayName: readText(metadata["fullname"]),
    counters: {},
    native: {},
  };
  const text = readText(metadata["description"]);
  return {
    id: id ?? postIdOfCode(code),
    author: author.id === undefined && author.name === undefined ? undefined : author,
    publishedAt: readTimestamp(metadata["post_date"]) ?? readTimestamp(metadata["date"]),
    text,
    hashtags: readList(metadata["tags"])?.flatMap((tag) => readFilledText(tag)?.replace(/^#/, "") ?? []),
    tagged: Array.isArray(metadata["tagged_users"])
      ? readObjects(metadata["tagged_users"]).flatMap((user) => readUser(user) ?? [])
      : undefined,
    place: placeIn(metadata),
    counters: omitUnknown({ likes: readCount(metadata["likes"]), comments: readCount(metadata["comments"]) }) ?? {},
    native: omitUnknown<NativePost>({ ...coverIn(metadata), code }) ?? {},
  };
}

function coverIn(metadata: Fields): NativePost {
  const parts = readPositiveCount(metadata["count"]);
  const film = readUrl(metadata["video_url"]);
  const mediaType = parts !== undefined && parts > 1 ? 8 : film === undefined ? 1 : 2;
  const whole: NativePost = {
    ...omitUnknown({ media_type: parts === undefined && film === undefined ? undefined : mediaType }),
    ...(mediaType === 8 ? { carousel_media_count: parts } : {}),
  };
  if ((readCount(metadata["num"]) ?? 1) > 1) return whole;
  const picture = readUrl(metadata["display_url"]);
  const size = { width: readMeasure(metadata["width"]), height: readMeasure(metadata["height"]) };
  return {
    ...whole,
    ...omitUnknown<NativePost>({
      display_uri: picture,
      image_versions2: imagesAs(picture === undefined ? [] : [{ url: picture, ...omitUnknown(size) }]),
      video_versions: film === undefined || mediaType === 8 ? undefined : [{ url: film, ...omitUnknown(size) }],
      original_width: size.width,
      original_height: size.height,
      accessibility_caption: readFilledText(metadata["accessibility_caption"]),
      like_and_view_counts_disabled: readFlag(metadata["like_and_view_counts_disabled"]),
    }),
  };
}

/** It writes the place's name as the last word of its address. */
function placeIn(metadata: Fields): CapturedPlace | undefined {
  const id = readId(metadata["location_id"]);
  const name =
    readFilledText(metadata["location_name"]) ?? readFilledText(metadata["location_slug"])?.replaceAll("-", " ");
  return id === undefined || name === undefined ? undefined : { id, name, counters: {}, native: {} };
}
