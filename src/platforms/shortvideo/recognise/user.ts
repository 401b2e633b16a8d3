/** Users: reads user objects, complete or partial, as an account and as the author of a post. */
import type { Collector } from "#api/importer.ts";
import type { Counters } from "#domain/record.ts";
import {
  type Fields,
  isFields,
  nonEmpty,
  omitUnknown,
  readCount,
  readCountry,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readInteger,
  readItems,
  readLanguage,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeUser } from "../native.ts";
import { readAccountName } from "./account-name.ts";

/** `relation` and `recommendReason` describe the viewer, not the account, so they are left out. */
const FLAGS = new Set([
  "verified",
  "ftc",
  "openFavorite",
  "secret",
  "isADVirtual",
  "ttSeller",
  "isEmbedBanned",
  "canExpPlaylist",
  "suggestAccountBind",
]);
const NUMBERS = new Set([
  "commentSetting",
  "duetSetting",
  "stitchSetting",
  "uniqueIdModifyTime",
  "downloadSetting",
  "followingVisibility",
  "nickNameModifyTime",
  "profileEmbedPermission",
  "isOrganization",
  "UserStoryStatus",
]);
const MOBILE_NUMBERS: ReadonlyMap<string, string> = new Map([
  ["comment_setting", "commentSetting"],
  ["duet_setting", "duetSetting"],
  ["stitch_setting", "stitchSetting"],
  ["download_setting", "downloadSetting"],
]);

/** The mobile API writes `unique_id`, `sec_uid`, and pictures as `{url_list}`. */
function readPicture(user: Fields, name: string, mobileName: string): string | undefined {
  return readUrl(user[name]) ?? readItems(readObjectAt(user[mobileName])["url_list"]).map(readUrl).find(Boolean);
}

/** The mobile API has no flag but the reason, which is empty for most. */
function readVerified(user: Fields): boolean | undefined {
  const reasons = [user["custom_verify"], user["enterprise_verify_reason"]];
  return readFlag(user["verified"]) ?? (reasons.some((reason) => readFilledText(reason) !== undefined) || undefined);
}

/** The part of a user that a post embeds. */
export function toNativeAuthor(user: Fields): NativeUser | undefined {
  return omitUnknown<NativeUser>({
    id: readUserId(user),
    uniqueId: readUserName(user),
    nickname: readFilledText(user["nickname"]),
    avatarLarger: readPicture(user, "avatarLarger", "avatar_larger"),
    avatarMedium: readPicture(user, "avatarMedium", "avatar_medium"),
    avatarThumb: readPicture(user, "avatarThumb", "avatar_thumb"),
    signature: readFilledText(user["signature"]),
    verified: readVerified(user),
    secUid: readFilledText(user["secUid"] ?? user["sec_uid"]),
  });
}

function toNativeUser(user: Fields): NativeUser | undefined {
  const bioLink = readObjectAt(user["bioLink"]);
  const commerce = readObjectAt(user["commerceUserInfo"]);
  const tabs = readObjectAt(user["profileTab"]);
  const events = readObjects(user["eventList"]).flatMap(
    ({ event_id, title, start_time }) =>
      omitUnknown({
        event_id: readId(event_id),
        title: readFilledText(title),
        start_time: readTimestamp(start_time),
      }) ?? [],
  );
  // The account's header has these.
  const inHeader = { id: undefined, uniqueId: undefined, nickname: undefined, signature: undefined };
  return omitUnknown<NativeUser>({
    ...toNativeAuthor(user),
    ...inHeader,
    ...readSettings(user),
    // The mobile API writes 0 for none.
    shortId: readText(user["shortId"]) ?? readId(user["short_id"]),
    roomId: readText(user["roomId"]) ?? readId(user["room_id"]),
    nowInvitationCardUrl: readUrl(user["nowInvitationCardUrl"]),
    bioLink: omitUnknown({ link: readText(bioLink["link"] ?? user["bio_url"]), risk: readInteger(bioLink["risk"]) }),
    commerceUserInfo: omitUnknown({ commerceUser: readFlag(commerce["commerceUser"]) }),
    profileTab: omitUnknown({
      showMusicTab: readFlag(tabs["showMusicTab"]),
      showQuestionTab: readFlag(tabs["showQuestionTab"]),
      showPlayListTab: readFlag(tabs["showPlayListTab"]),
    }),
    eventList: nonEmpty(events),
  });
}

/** Iterates over the fields that exist, not over all names: most captures have few of them. */
function readSettings(user: Fields): NativeUser {
  const settings: Record<string, unknown> = {};
  for (const name in user) {
    if (FLAGS.has(name)) settings[name] = readFlag(user[name]);
    else {
      const setting = NUMBERS.has(name) ? name : MOBILE_NUMBERS.get(name);
      if (setting !== undefined) settings[setting] = readInteger(user[name]);
    }
  }
  return settings;
}

export function readUserId(user: Fields): string | undefined {
  return readId(user["id"]) ?? readId(user["uid"]);
}

export function readUserName(user: Fields): string | undefined {
  return readAccountName(user["uniqueId"]) ?? readAccountName(user["unique_id"]);
}

function readUserCounters(stats: readonly Fields[]): Counters | undefined {
  return omitUnknown<Counters>({
    followers: readFirstCount(stats, "followerCount"),
    following: readFirstCount(stats, "followingCount"),
    likes: readFirstCount(stats, "heartCount", "heart"),
    posts: readFirstCount(stats, "videoCount"),
    friends: readFirstCount(stats, "friendCount"),
    saves: readFirstCount(stats, "diggCount"),
  });
}

/** The counts of a user of the mobile API, whose lists have 0 where nothing was counted. */
export function toMobileStats(user: Fields, read: (value: unknown) => number | undefined = readPositiveCount): Fields {
  return {
    followerCount: read(user["follower_count"]),
    followingCount: read(user["following_count"]),
    heartCount: read(user["total_favorited"]),
    videoCount: read(user["aweme_count"]),
    diggCount: read(user["favoriting_count"]),
  };
}

/**
 * Returns the id to refer to the account by; undefined if the capture has neither id nor name. `stats`: exact counts
 * first. An empty biography counts only in a profile; posts and sounds always leave it empty.
 */
export function collectUser(
  user: Fields,
  stats: readonly unknown[],
  collect: Collector,
  completeness: "profile" | "mention" = "mention",
): string | undefined {
  const id = readUserId(user);
  const name = readUserName(user);
  const fields = {
    displayName: readFilledText(user["nickname"]),
    bio: completeness === "profile" ? readText(user["signature"]) : readFilledText(user["signature"]),
    verified: readVerified(user),
    private: readFlag(user["privateAccount"]),
    createdAt: readTimestamp(user["createTime"]),
    language: readLanguage(user["language"]),
    country: readCountry(user["region"]),
    counters: readUserCounters(stats.filter(isFields)),
    native: toNativeUser(user),
  };
  if (id !== undefined) return collect.account({ id, name, ...fields });
  return name === undefined ? undefined : collect.account({ name, ...fields });
}

/** For an account's own profile. */
export function collectAccount(user: Fields, stats: readonly unknown[], collect: Collector): void {
  if (collectUser(user, stats, collect, "profile") === undefined) collect.refuse("account_without_id");
}

/** `{user, stats, statsV2}`, as in `userInfo` and lists of users. */
export function isProfile(object: Fields): boolean {
  const { user, stats } = object;
  if (!isFields(user) || !("uniqueId" in user || "secUid" in user)) return false;
  return isFields(stats) ? "followerCount" in stats : isFields(object["statsV2"]);
}

export function collectProfile(object: Fields, collect: Collector): void {
  collectAccount(readObjectAt(object["user"]), [object["statsV2"], object["stats"]], collect);
}

/** Embedded page state separates users and their counts: `{users: {name: user}, stats: {name: stats}}`. */
export function isUserModule(object: Fields): boolean {
  const { users, stats } = object;
  if (!isFields(users) || !isFields(stats)) return false;
  return Object.values(users).some((user) => isFields(user) && "uniqueId" in user);
}

export function collectUserModule(object: Fields, collect: Collector): void {
  const stats = readObjectAt(object["stats"]);
  const statsV2 = readObjectAt(object["statsV2"]);
  for (const [key, user] of Object.entries(readObjectAt(object["users"]))) {
    if (isFields(user)) collectAccount(user, [statsV2[key], stats[key]], collect);
  }
}

/** A bare user, from the web or the mobile API. */
export function isUser(object: Fields): boolean {
  if (readAccountName(object["uniqueId"]) !== undefined) {
    return "secUid" in object || "avatarLarger" in object || ("id" in object && "nickname" in object);
  }
  return (
    readAccountName(object["unique_id"]) !== undefined &&
    readId(object["uid"]) !== undefined &&
    ("sec_uid" in object || "follower_count" in object)
  );
}

export function collectBareUser(object: Fields, collect: Collector): void {
  collectUser(withPrivate(object), [object["statsV2"], object["stats"], object, toMobileStats(object)], collect);
}

/** The mobile API has another name for it. */
function withPrivate(user: Fields): Fields {
  return { privateAccount: user["secret"], ...user };
}

/** The mobile API's response about one user, `{status_code, user}`. */
export function isMobileProfile({ status_code, user }: Fields): boolean {
  return status_code !== undefined && isFields(user) && "follower_count" in user && isUser(user);
}

export function collectMobileProfile(object: Fields, collect: Collector): void {
  const user = readObjectAt(object["user"]);
  collectAccount(withPrivate(user), [toMobileStats(user, readCount)], collect);
}
