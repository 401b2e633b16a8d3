/** A profile as Apify's actors write it. */
import type { NativeUser } from "../native.ts";
import { accountNameOf, bioLinksIn, type CapturedUser } from "../recognise/captured-user.ts";
import {
  countOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  textOf,
  webAddressOf,
  wordOf,
} from "../recognise/field-readers.ts";

export function readApifyProfile(item: JsonObject): CapturedUser {
  return {
    id: idOf(item["id"]),
    name: accountNameOf(item["username"]),
    displayName: textOf(item["fullName"]),
    bio: textOf(item["biography"]),
    verified: flagOf(item["verified"]),
    private: flagOf(item["private"]),
    counters:
      known({
        followers: countOf(item["followersCount"]),
        following: countOf(item["followsCount"]),
        posts: countOf(item["postsCount"]),
      }) ?? {},
    native:
      known<NativeUser>({
        profile_pic_url: webAddressOf(item["profilePicUrl"]),
        hd_profile_pic_url_info: known({ url: webAddressOf(item["profilePicUrlHD"]) }),
        bio_links: bioLinksIn(item["externalUrls"]),
        external_url: webAddressOf(item["externalUrl"]),
        external_lynx_url: webAddressOf(item["externalUrlShimmed"]),
        is_business: flagOf(item["isBusinessAccount"]),
        category: categoryOf(item["businessCategoryName"]),
        fbid_v2: idOf(item["fbid"]),
      }) ?? {},
  };
}

/** `None,Photographer`: the first of several is often the word for none. */
export function categoryOf(value: unknown): string | undefined {
  return wordOf(value)
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name !== "" && name !== "None");
}
