/** A profile with its counts, both as integers and as strings of digits. */
import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { AnyList, DigitText, digits, Flag, Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import { type Account, withoutContacts } from "#domain/account.ts";
import { hideContactLink } from "#domain/contacts.ts";
import { fromNames } from "#domain/from-names.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeUser } from "../native.ts";
import { PostItem } from "./post-item.ts";
import { ShareMeta } from "./share-meta.ts";

const STAT_NAMES = [
  "followerCount",
  "followingCount",
  "heart",
  "heartCount",
  "videoCount",
  "diggCount",
  "friendCount",
] as const;
type StatName = (typeof STAT_NAMES)[number];

function statsSchema<S extends typeof Integer | typeof DigitText>(schema: S) {
  return wireObject(fromNames(STAT_NAMES, () => schema));
}

const User = wireObject({
  id: Text,
  shortId: Text,
  uniqueId: Text,
  nickname: Text,
  avatarLarger: Url,
  avatarMedium: Url,
  avatarThumb: Url,
  signature: Text,
  createTime: Timestamp,
  verified: Flag,
  secUid: Text,
  ftc: Flag,
  relation: Integer,
  openFavorite: Flag,
  bioLink: wireObject({ link: Text, risk: Integer }),
  commentSetting: Integer,
  commerceUserInfo: wireObject({ commerceUser: Flag }),
  duetSetting: Integer,
  stitchSetting: Integer,
  privateAccount: Flag,
  secret: Flag,
  isADVirtual: Flag,
  roomId: Text,
  uniqueIdModifyTime: Integer,
  ttSeller: Flag,
  downloadSetting: Integer,
  profileTab: wireObject({ showMusicTab: Flag, showQuestionTab: Flag, showPlayListTab: Flag }),
  followingVisibility: Integer,
  recommendReason: Text,
  nowInvitationCardUrl: Url,
  nickNameModifyTime: Integer,
  isEmbedBanned: Flag,
  canExpPlaylist: Flag,
  profileEmbedPermission: Integer,
  language: Text,
  eventList: AnyList,
  suggestAccountBind: Flag,
  isOrganization: Integer,
  UserStoryStatus: Integer,
  region: Type.String({ description: "Country of the account (ISO 3166), if known." }),
});
type User = Static<typeof User>;

export const UserInfo = wireObject({
  userInfo: wireObject({
    user: User,
    stats: statsSchema(Integer),
    statsV2: statsSchema(DigitText),
    itemList: Type.Array(PostItem, { description: "The newest stored posts of the account." }),
  }),
  shareMeta: ShareMeta,
  statusCode: Integer,
  statusMsg: Text,
  needFix: Flag,
});
export type UserInfo = Static<typeof UserInfo>;

function toUserInfo(account: Account<NativeUser>): Nullable<UserInfo> {
  const stats = toStats(account);
  const name = account.displayName ?? account.name;
  return {
    userInfo: {
      user: toUser(account),
      stats,
      statsV2: fromNames(STAT_NAMES, (stat) => digits(stats[stat])),
      itemList: [],
    },
    shareMeta: {
      title: name === null ? null : `${name} on the short-video platform`,
      desc:
        account.name === null
          ? null
          : `@${account.name}${account.bio === null || account.bio === "" ? "" : `: ${account.bio}`}`,
    },
    statusCode: 0,
    statusMsg: "",
    needFix: false,
  };
}

export const userInfoProjection = defineProjection("user-info", 1, UserInfo, toUserInfo);

/** For clients that may not see contacts, and for exports. */
export const userInfoWithoutContacts = defineProjection(
  "user-info-without-contacts",
  3,
  UserInfo,
  (account: Account<NativeUser>) => toUserInfo(withoutContactLink(withoutContacts(account))),
);

function withoutContactLink(account: Account<NativeUser>): Account<NativeUser> {
  const { bioLink } = account.native;
  if (bioLink?.link === undefined) return account;
  return { ...account, native: { ...account.native, bioLink: { ...bioLink, link: hideContactLink(bioLink.link) } } };
}

function toStats({ counters }: Account): Record<StatName, number | null> {
  const hearts = counters.likes ?? null;
  return {
    followerCount: counters.followers ?? null,
    followingCount: counters.following ?? null,
    heart: hearts,
    heartCount: hearts,
    videoCount: counters.posts ?? null,
    diggCount: counters.saves ?? null,
    friendCount: counters.friends ?? null,
  };
}

function toUser(account: Account<NativeUser>): Nullable<User> {
  const { native } = account;
  return {
    id: platformId(account.id),
    shortId: native.shortId ?? null,
    uniqueId: account.name,
    nickname: account.displayName,
    avatarLarger: native.avatarLarger ?? null,
    avatarMedium: native.avatarMedium ?? null,
    avatarThumb: native.avatarThumb ?? null,
    signature: account.bio,
    createTime: account.createdAt,
    verified: account.verified,
    secUid: native.secUid ?? null,
    ftc: native.ftc ?? null,
    relation: native.relation ?? null,
    openFavorite: native.openFavorite ?? null,
    bioLink: { link: native.bioLink?.link ?? null, risk: native.bioLink?.risk ?? null },
    commentSetting: native.commentSetting ?? null,
    commerceUserInfo: { commerceUser: native.commerceUserInfo?.commerceUser ?? null },
    duetSetting: native.duetSetting ?? null,
    stitchSetting: native.stitchSetting ?? null,
    privateAccount: account.private,
    secret: native.secret ?? null,
    isADVirtual: native.isADVirtual ?? null,
    roomId: native.roomId ?? null,
    uniqueIdModifyTime: native.uniqueIdModifyTime ?? null,
    ttSeller: native.ttSeller ?? null,
    downloadSetting: native.downloadSetting ?? null,
    profileTab: {
      showMusicTab: native.profileTab?.showMusicTab ?? null,
      showQuestionTab: native.profileTab?.showQuestionTab ?? null,
      showPlayListTab: native.profileTab?.showPlayListTab ?? null,
    },
    followingVisibility: native.followingVisibility ?? null,
    recommendReason: native.recommendReason ?? null,
    nowInvitationCardUrl: native.nowInvitationCardUrl ?? null,
    nickNameModifyTime: native.nickNameModifyTime ?? null,
    isEmbedBanned: native.isEmbedBanned ?? null,
    canExpPlaylist: native.canExpPlaylist ?? null,
    profileEmbedPermission: native.profileEmbedPermission ?? null,
    language: account.language,
    eventList: native.eventList ?? null,
    suggestAccountBind: native.suggestAccountBind ?? null,
    isOrganization: native.isOrganization ?? null,
    UserStoryStatus: native.UserStoryStatus ?? null,
    region: account.country,
  };
}
