/**
 * gallery-dl's metadata: a file per medium, so a post of ten pictures comes ten times. Every one carries the post's
 * facts; only the first medium is the post's cover, and the others do not replace it.
 */
import type { Collector, Importer, SourceDocument } from "#contract/importer.ts";
import type { NativePost } from "../native.ts";
import type { CapturedPlace } from "../recognise/captured-place.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { accountNameOf, type CapturedUser, collectUser, readUser } from "../recognise/captured-user.ts";
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
import { imagesAs } from "../recognise/media-parts.ts";
import { postIdOfCode } from "../recognise/surroundings.ts";

export const galleryDl: Importer = {
  name: "gallery-dl",

  detects(document) {
    return document.kind === "json" && metadataIn(document).some(isOurs);
  },

  read(document, _file, collect) {
    for (const metadata of metadataIn(document)) {
      if (isOurs(metadata)) readMetadata(metadata, collect);
      else collect.refuse("metadata of another site than the ones around it");
    }
  },
};

/** A file of its own, or the output of `gallery-dl -j`: rows of a number, an address and the metadata. */
function metadataIn({ value }: SourceDocument): JsonObject[] {
  const single = objectOf(value);
  if (single !== undefined) return [single];
  return (listOf(value) ?? []).flatMap((entry) => {
    const metadata = objectOf(entry);
    return metadata === undefined ? objectsIn(entry) : [metadata];
  });
}

function isOurs(metadata: JsonObject): boolean {
  return metadata["category"] === "instagram" && "subcategory" in metadata;
}

const NOT_POSTS = new Set(["story", "stories", "highlight", "highlights"]);

function readMetadata(metadata: JsonObject, collect: Collector): void {
  const code = wordOf(metadata["post_shortcode"]) ?? wordOf(metadata["shortcode"]);
  const id = idOf(metadata["post_id"]) ?? postIdOfCode(metadata["post_shortcode"]);
  if (NOT_POSTS.has(textOf(metadata["type"]) ?? "") || NOT_POSTS.has(textOf(metadata["subcategory"]) ?? "")) {
    collect.skip("story");
  } else if (id !== undefined || code !== undefined) {
    collectPost(readPost(metadata, id, code), collect);
  } else {
    const user = readUser(metadata["user"]) ?? readUser(metadata);
    if (user === undefined) collect.refuse("post has no id");
    else collectUser(user, collect);
  }
}

function readPost(metadata: JsonObject, id: string | undefined, code: string | undefined): CapturedPost {
  const author: CapturedUser = {
    id: idOf(metadata["owner_id"]),
    name: accountNameOf(metadata["username"]),
    displayName: textOf(metadata["fullname"]),
    counters: {},
    native: {},
  };
  const text = textOf(metadata["description"]);
  return {
    id: id ?? postIdOfCode(code),
    author: author.id === undefined && author.name === undefined ? undefined : author,
    publishedAt: secondsOfDate(metadata["post_date"]) ?? secondsOfDate(metadata["date"]),
    text,
    hashtags: listOf(metadata["tags"])?.flatMap((tag) => wordOf(tag)?.replace(/^#/, "") ?? []),
    tagged: Array.isArray(metadata["tagged_users"])
      ? objectsIn(metadata["tagged_users"]).flatMap((user) => readUser(user) ?? [])
      : undefined,
    place: placeIn(metadata),
    counters: known({ likes: countOf(metadata["likes"]), comments: countOf(metadata["comments"]) }) ?? {},
    native: known<NativePost>({ ...coverIn(metadata), code }) ?? {},
  };
}

function coverIn(metadata: JsonObject): NativePost {
  const parts = extentOf(metadata["count"]);
  const film = webAddressOf(metadata["video_url"]);
  const mediaType = parts !== undefined && parts > 1 ? 8 : film === undefined ? 1 : 2;
  const whole: NativePost = {
    ...known({ media_type: parts === undefined && film === undefined ? undefined : mediaType }),
    ...(mediaType === 8 ? { carousel_media_count: parts } : {}),
  };
  if ((countOf(metadata["num"]) ?? 1) > 1) return whole;
  const picture = webAddressOf(metadata["display_url"]);
  const size = { width: extentOf(metadata["width"]), height: extentOf(metadata["height"]) };
  return {
    ...whole,
    ...known<NativePost>({
      display_uri: picture,
      image_versions2: imagesAs(picture === undefined ? [] : [{ url: picture, ...known(size) }]),
      video_versions: film === undefined || mediaType === 8 ? undefined : [{ url: film, ...known(size) }],
      original_width: size.width,
      original_height: size.height,
      accessibility_caption: wordOf(metadata["accessibility_caption"]),
      like_and_view_counts_disabled: flagOf(metadata["like_and_view_counts_disabled"]),
    }),
  };
}

/** It writes the place's name as the last word of its address. */
function placeIn(metadata: JsonObject): CapturedPlace | undefined {
  const id = idOf(metadata["location_id"]);
  const name = wordOf(metadata["location_name"]) ?? wordOf(metadata["location_slug"])?.replaceAll("-", " ");
  return id === undefined || name === undefined ? undefined : { id, name, counters: {}, native: {} };
}
