/** Instagram profiles by Phantombuster, as a table or as JSON. Columns with addresses and telephone numbers are not read. */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readObjects, readText, readTimestamp } from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { parseProfileName } from "../profile-url.ts";
import { collectUser, readAccountName, readUser } from "../recognise/captured-user.ts";

const KEYS = ["instagramID", "followersCount", "postsCount", "fullName", "bio"];

export const phantombuster: Importer = {
  name: "phantombuster",

  detects: ({ kind, value }) => kind !== "text" && hasRecord(listRecords(value), isProfile),

  read({ kind, value }, _file, collect) {
    for (const record of readObjects(listRecords(value))) {
      const profile = kind === "row" ? nestRow(record) : record;
      if (!isProfile(record)) {
        collect.refuse("unknown_record");
        continue;
      }
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
      const seconds = readTimestamp(profile["timestamp"]);
      const timed = withCaptureTime(collect, seconds === undefined ? undefined : seconds * 1000);
      if (user === undefined) collect.refuse("account_without_id");
      else collectUser(user, timed);
    }
  },
};

/** Sets leave out what they were not made for, so some of the keys suffice. */
function isProfile(record: Fields): boolean {
  return nameInUrl(record["profileUrl"]) !== undefined && KEYS.filter((key) => key in record).length >= 2;
}

function nameInUrl(value: unknown): string | undefined {
  const url = readText(value) ?? "";
  const profile = url.includes("/") ? parseProfileName(url) : { reason: "" };
  return "name" in profile ? profile.name : undefined;
}
