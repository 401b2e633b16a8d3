/** Profiles by Apify actors. */
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readText,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeUser } from "../native.ts";
import { readAccountName, readBioLinks, type CapturedUser } from "../recognise/captured-user.ts";

export function readApifyProfile(item: Fields): CapturedUser {
  return {
    id: readId(item["id"]),
    name: readAccountName(item["username"]),
    displayName: readText(item["fullName"]),
    bio: readText(item["biography"]),
    verified: readFlag(item["verified"]),
    private: readFlag(item["private"]),
    counters: omitUnknown({
      followers: readCount(item["followersCount"]),
      following: readCount(item["followsCount"]),
      posts: readCount(item["postsCount"]),
    }),
    native: omitUnknown<NativeUser>({
      profile_pic_url: readUrl(item["profilePicUrl"]),
      hd_profile_pic_url_info: omitUnknown({ url: readUrl(item["profilePicUrlHD"]) }),
      bio_links: readBioLinks(item["externalUrls"]),
      external_url: readUrl(item["externalUrl"]),
      external_lynx_url: readUrl(item["externalUrlShimmed"]),
      is_business: readFlag(item["isBusinessAccount"]),
      category: readCategory(item["businessCategoryName"]),
      fbid_v2: readId(item["fbid"]),
    }),
  };
}

/** `None,Photographer`: the first of several is often `None`. */
export function readCategory(value: unknown): string | undefined {
  return readFilledText(value)
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name !== "" && name !== "None");
}
