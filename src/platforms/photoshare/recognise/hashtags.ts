/** A hashtag with its own id and count: above a list of posts, or in the answer of a search. */
import type { Collector } from "#contract/importer.ts";
import type { NativeHashtag } from "../native.ts";
import {
  countOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  membersOf,
  objectOf,
  webAddressOf,
  wordOf,
} from "./field-readers.ts";

const SIGNS = [
  "search_result_subtitle",
  "formatted_media_count",
  "allow_following",
  "top",
  "recent",
  "profile_pic_url",
];

export function isHashtag(object: JsonObject): boolean {
  if (wordOf(object["name"]) === undefined || "username" in object || "lat" in object) return false;
  if ("edge_hashtag_to_media" in object) return true;
  return "media_count" in object && idOf(object["id"]) !== undefined && SIGNS.some((sign) => sign in object);
}

/** Returns the name, by which posts refer to it; undefined when it has none. */
export function collectHashtag(hashtag: JsonObject, collect: Collector): string | undefined {
  const name = wordOf(hashtag["name"])?.replace(/^#/, "");
  if (name === undefined || name === "") {
    collect.refuse("hashtag has no name");
    return undefined;
  }
  const posts = countOf(hashtag["media_count"]) ?? countOf(objectOf(hashtag["edge_hashtag_to_media"])?.["count"]);
  collect.hashtag({
    name,
    id: idOf(hashtag["id"]) ?? null,
    counters: known({ posts }) ?? {},
    native:
      known<NativeHashtag>({
        ...membersOf(hashtag, ["allow_following", "is_top_media_only"], flagOf),
        profile_pic_url: webAddressOf(hashtag["profile_pic_url"]),
      }) ?? {},
  });
  return name;
}
