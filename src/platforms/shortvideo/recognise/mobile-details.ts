/** Sounds and hashtags of the mobile API, as in `music_info` and `ch_info`. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readPositiveCount } from "#import/capture/field-readers.ts";
import { collectHashtag, readHashtagName } from "./hashtag.ts";
import { toMusic } from "./mobile-item.ts";
import { collectBareSound } from "./sound.ts";

export function isMobileMusic(object: Fields): boolean {
  return ("id_str" in object || "mid" in object) && typeof object["author"] === "string" && "play_url" in object;
}

/** `user_count` is the number of posts with the sound; 0 where it was not counted. */
export function collectMobileMusic(object: Fields, collect: Collector): void {
  collectBareSound(toMusic(object), collect, readPositiveCount(object["user_count"]));
}

export function isMobileChallenge(object: Fields): boolean {
  return "cha_name" in object && ("cid" in object || "id" in object) && "user_count" in object;
}

export function collectMobileChallenge(object: Fields, collect: Collector): void {
  const name = readHashtagName(object["cha_name"]);
  if (name === undefined) return collect.refuse("hashtag_without_name");
  const challenge = {
    id: object["cid"] ?? object["id"],
    desc: object["desc"],
    isCommerce: object["is_commerce"],
  };
  const posts = readPositiveCount(object["user_count"]);
  const views = readPositiveCount(object["view_count"]);
  collectHashtag(name, challenge, collect, { posts, views });
}
