/** Profiles by Apify actors, mapped to Instagram's own names. */
import { type Fields, readFilledText } from "#import/capture/field-readers.ts";
import { type CapturedUser, readUser } from "../recognise/captured-user.ts";

export function readApifyProfile(item: Fields): CapturedUser | undefined {
  return readUser({
    pk: item["id"],
    username: item["username"],
    full_name: item["fullName"],
    biography: item["biography"],
    is_verified: item["verified"],
    is_private: item["private"],
    follower_count: item["followersCount"],
    following_count: item["followsCount"],
    media_count: item["postsCount"],
    profile_pic_url: item["profilePicUrl"],
    profile_pic_url_hd: item["profilePicUrlHD"],
    bio_links: item["externalUrls"],
    external_url: item["externalUrl"],
    external_lynx_url: item["externalUrlShimmed"],
    is_business: item["isBusinessAccount"],
    category: readCategory(item["businessCategoryName"]),
    fbid: item["fbid"],
  });
}

/** `None,Photographer`: the first of several is often `None`. */
export function readCategory(value: unknown): string | undefined {
  return readFilledText(value)
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name !== "" && name !== "None");
}
