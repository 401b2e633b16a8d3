/** Instagram profiles by Phantombuster, as a table or as JSON. Columns with addresses and telephone numbers are not read. */
import { type Fields, readText } from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import { parseProfileName } from "../profile-url.ts";
import { collectUser, readAccountName, readUser } from "../recognise/captured-user.ts";

const KEYS = ["instagramID", "followersCount", "postsCount", "fullName", "bio"];

export const phantombuster = defineProfileSet("phantombuster", isProfile, (profile, collect) => {
  const user = readUser({
    pk: profile["instagramID"] ?? profile["instagramId"],
    username: readAccountName(profile["profileName"]) ?? nameInUrl(profile["profileUrl"]),
    full_name: profile["fullName"],
    biography: profile["bio"],
    is_verified: profile["isVerified"],
    is_private: profile["isPrivate"],
    follower_count: profile["followersCount"],
    following_count: profile["followingCount"],
    media_count: profile["postsCount"],
    profile_pic_url: profile["imageUrl"] ?? profile["profilePictureUrl"],
    external_url: profile["website"],
    is_business: profile["isBusinessAccount"],
    category: profile["category"] ?? profile["businessCategory"],
  });
  if (user === undefined) collect.refuse("account_without_id");
  else collectUser(user, collect);
});

function isProfile(record: Fields): boolean {
  return nameInUrl(record["profileUrl"]) !== undefined && KEYS.filter((key) => key in record).length >= 2;
}

function nameInUrl(value: unknown): string | undefined {
  const url = readText(value) ?? "";
  const profile = url.includes("/") ? parseProfileName(url) : { reason: "" };
  return "name" in profile ? profile.name : undefined;
}
