/** A hashtag with id and count: above a list of posts, or in a search result. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readMembers,
  readObjectAt,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeHashtag } from "../native.ts";
import { readNodes } from "./connection-nodes.ts";

const KEYS = ["search_result_subtitle", "formatted_media_count", "allow_following", "top", "recent", "profile_pic_url"];

export function isHashtag(object: Fields): boolean {
  const name = readFilledText(object["name"])?.trim();
  if (name === undefined || "username" in object || "lat" in object) return false;
  if ("edge_hashtag_to_media" in object) return true;
  // Until 2018, and in responses of this service. Places have a slug, people spaces in their names.
  const mayBeNamed = !("slug" in object) && !/\s/.test(name);
  const hasLists = "top_posts" in object && ["media", "posts"].some((list) => readNodes(object[list]) !== undefined);
  if (mayBeNamed && hasLists) return true;
  return "media_count" in object && readId(object["id"]) !== undefined && KEYS.some((key) => key in object);
}

/** Without `#`; undefined if nothing else is there. */
export function readHashtagName(value: unknown): string | undefined {
  return (
    readFilledText(value)
      ?.trim()
      .replace(/^[#＃]+/, "") || undefined
  );
}

/** Returns the name, by which posts refer to it; undefined if it has none. */
export function collectHashtag(hashtag: Fields, collect: Collector): string | undefined {
  const name = readHashtagName(hashtag["name"]);
  if (name === undefined) {
    collect.refuse("hashtag_without_name");
    return undefined;
  }
  const posts =
    readCount(hashtag["media_count"]) ??
    readCount(readObjectAt(hashtag, "edge_hashtag_to_media")["count"]) ??
    readCount(readObjectAt(hashtag, "media")["count"]) ??
    readCount(readObjectAt(hashtag, "posts")["count"]);
  collect.hashtag({
    name,
    id: readId(hashtag["id"]) ?? null,
    counters: omitUnknown({ posts }),
    native: omitUnknown<NativeHashtag>({
      ...readMembers(hashtag, ["allow_following", "is_top_media_only"], readFlag),
      profile_pic_url: readUrl(hashtag["profile_pic_url"]),
    }),
  });
  return name;
}
