/**
 * Every field of a response comes from the right field of its record. No two fields of these records have the same value;
 * flags are set one at a time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Comment } from "#domain/comment.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { NativeComment, NativeMusic, NativePost, NativeSound, NativeUser, NativeVideo } from "../native.ts";
import { commentItemProjection } from "./comment.ts";
import { toMusicInfo } from "./music-info.ts";
import { postDetailProjection } from "./post-detail.ts";
import { postItemProjection } from "./post-item.ts";
import { toSearchResult } from "./search-result.ts";
import { userInfoProjection } from "./user-info.ts";

const CAPTURED = { capturedAt: 1_700_000_000_000, source: "test" };

const url = (name: string) => `https://media.example/${name}.jpg`;

/** What profiles show as it was captured, apart from flags. */
const USER = {
  shortId: "71",
  avatarLarger: url("larger"),
  avatarMedium: url("medium"),
  avatarThumb: url("thumb"),
  secUid: "MS4wLjAB",
  relation: 1,
  bioLink: { link: "https://nora.example/", risk: 2 },
  commentSetting: 3,
  duetSetting: 4,
  stitchSetting: 5,
  roomId: "72",
  uniqueIdModifyTime: 6,
  downloadSetting: 7,
  followingVisibility: 8,
  recommendReason: "Popular",
  nowInvitationCardUrl: url("invitation"),
  nickNameModifyTime: 9,
  profileEmbedPermission: 10,
  eventList: [{ event_id: "73" }],
  isOrganization: 11,
  UserStoryStatus: 12,
};

const USER_FLAGS = [
  "verified",
  "privateAccount",
  "ftc",
  "openFavorite",
  "commerceUser",
  "secret",
  "isADVirtual",
  "ttSeller",
  "showMusicTab",
  "showQuestionTab",
  "showPlayListTab",
  "isEmbedBanned",
  "canExpPlaylist",
  "suggestAccountBind",
];

function userFlags(set: string) {
  return {
    ftc: set === "ftc",
    openFavorite: set === "openFavorite",
    commerceUserInfo: { commerceUser: set === "commerceUser" },
    secret: set === "secret",
    isADVirtual: set === "isADVirtual",
    ttSeller: set === "ttSeller",
    profileTab: {
      showMusicTab: set === "showMusicTab",
      showQuestionTab: set === "showQuestionTab",
      showPlayListTab: set === "showPlayListTab",
    },
    isEmbedBanned: set === "isEmbedBanned",
    canExpPlaylist: set === "canExpPlaylist",
    suggestAccountBind: set === "suggestAccountBind",
  };
}

/** As captured once; the account has been renamed since. */
const FORMER = { id: "599", uniqueId: "nora.then", nickname: "Nora Then", signature: "Then" };

function anAccount(set: string): Account<NativeUser> {
  return {
    ...blankRecord("account"),
    ...CAPTURED,
    id: "501",
    name: "nora",
    displayName: "Nora Lindqvist",
    bio: "Ferries",
    verified: set === "verified",
    private: set === "privateAccount",
    createdAt: 1_500_000_001,
    language: "sv",
    country: "FI",
    counters: { followers: 21, following: 22, likes: 23, posts: 24, saves: 25, friends: 26 },
    native: { ...FORMER, ...USER, ...userFlags(set), verified: set !== "verified" },
  };
}

const VIDEO = {
  cover: url("cover"),
  playAddr: url("play"),
  downloadAddr: url("download"),
  format: "mp4",
  definition: "720p",
  bitrate: 31,
  codecType: "h264",
  width: 32,
  height: 33,
} satisfies NativeVideo;

const MUSIC = {
  title: "Foghorn",
  authorName: "Quay Band",
  album: "Low Water",
  duration: 34,
  coverLarge: url("music-large"),
  playUrl: url("music-play"),
} satisfies NativeMusic;

const AUTHOR = {
  uniqueId: "mats",
  nickname: "Mats Holm",
  avatarLarger: url("author-larger"),
} satisfies NativeUser;

const MORE_OF_AUTHOR = {
  avatarMedium: url("author-medium"),
  avatarThumb: url("author-thumb"),
  signature: "Lighthouses",
  secUid: "MS4wLjAC",
} satisfies NativeUser;

function aPost(set: string): Post<NativePost> {
  return {
    ...blankRecord("post"),
    ...CAPTURED,
    id: "601",
    authorId: "502",
    publishedAt: 1_600_000_001,
    title: "Slides",
    text: "Fog at #noon",
    soundId: "701",
    durationS: 35,
    counters: { likes: 41, shares: 42, comments: 43, views: 44, saves: 45, reposts: 46 },
    native: {
      author: { ...AUTHOR, ...MORE_OF_AUTHOR, id: "503", verified: set === "verified" },
      video: { ...VIDEO, id: "602", duration: 36, ratio: "540p", originCover: url("o"), dynamicCover: url("d") },
      music: { ...MUSIC, id: "702", coverMedium: url("m"), coverThumb: url("t"), original: set === "original" },
      challenges: [{ id: "801", title: "noon" }],
      textExtra: [{ hashtagName: "noon" }, { userUniqueId: "nora" }, { hashtagName: "fog", userUniqueId: "mats" }],
    },
  };
}

const COUNTS = { diggCount: 41, shareCount: 42, commentCount: 43, playCount: 44 };
const DIGITS = { diggCount: "41", shareCount: "42", commentCount: "43", playCount: "44", collectCount: "45" };

test("user info", () => {
  const stats = { followerCount: 21, followingCount: 22, heart: 23, heartCount: 23, videoCount: 24 };
  for (const set of USER_FLAGS) {
    assert.deepEqual(userInfoProjection.project(anAccount(set)), {
      userInfo: {
        user: {
          ...USER,
          ...userFlags(set),
          id: "501",
          uniqueId: "nora",
          nickname: "Nora Lindqvist",
          signature: "Ferries",
          createTime: 1_500_000_001,
          verified: set === "verified",
          privateAccount: set === "privateAccount",
          language: "sv",
          region: "FI",
        },
        stats: { ...stats, diggCount: 25, friendCount: 26 },
        statsV2: {
          followerCount: "21",
          followingCount: "22",
          heart: "23",
          heartCount: "23",
          videoCount: "24",
          diggCount: "25",
          friendCount: "26",
        },
        itemList: [],
      },
      shareMeta: { title: "Nora Lindqvist on the short-video platform", desc: "@nora: Ferries" },
      statusCode: 0,
      statusMsg: "",
      needFix: false,
    });
  }
});

test("post item", () => {
  for (const set of ["verified", "original"]) {
    assert.deepEqual(postItemProjection.project(aPost(set)), {
      id: "601",
      desc: "Fog at #noon",
      createTime: 1_600_000_001,
      author: { ...AUTHOR, ...MORE_OF_AUTHOR, id: "502", verified: set === "verified" },
      stats: { ...COUNTS, collectCount: 45 },
      statsV2: { ...DIGITS, repostCount: "46" },
      video: { ...VIDEO, id: "602", duration: 35 },
      music: { ...MUSIC, id: "701", original: set === "original" },
      challenges: [{ id: "801", title: "noon" }],
      textExtra: [
        { hashtagName: "noon", userUniqueId: "" },
        { hashtagName: "", userUniqueId: "nora" },
        { hashtagName: "fog", userUniqueId: "mats" },
      ],
    });
  }
});

test("post detail", () => {
  for (const set of ["verified", "original"]) {
    const { title, authorName, duration, coverLarge } = MUSIC;
    assert.deepEqual(postDetailProjection.project(aPost(set)), {
      itemInfo: {
        itemStruct: {
          id: "601",
          desc: "Fog at #noon",
          createTime: "1600000001",
          author: { ...AUTHOR, id: "502", verified: set === "verified" },
          stats: DIGITS,
          statsV2: { ...DIGITS, repostCount: "46" },
          video: { ...VIDEO, id: "602", duration: 35 },
          music: { id: "701", title, authorName, duration, coverLarge },
        },
      },
      shareMeta: { title: "A video by Mats Holm", desc: "Fog at #noon" },
      statusCode: 0,
      statusMsg: "",
    });
  }
});

test("search result", () => {
  for (const set of ["verified", "original"]) {
    assert.deepEqual(toSearchResult(aPost(set)), {
      common: { doc_id_str: "601" },
      item: {
        id: "601",
        desc: "Fog at #noon",
        createTime: 1_600_000_001,
        author: { ...AUTHOR, id: "502", verified: set === "verified" },
        stats: COUNTS,
        video: { id: "602", duration: 35, cover: VIDEO.cover },
        music: { id: "701", title: "Foghorn", authorName: "Quay Band" },
      },
      type: 1,
    });
  }
});

test("comment", () => {
  const picture = { uri: "avatar/504", url_list: [url("504-small"), url("504-large")] };
  const comment: Comment<NativeComment> = {
    ...blankRecord("comment"),
    ...CAPTURED,
    id: "901",
    postId: "601",
    parentId: "902",
    authorId: "504",
    text: "So quiet",
    publishedAt: 1_600_000_002,
    counters: { likes: 51, replies: 52 },
    native: { user: { uid: "505", unique_id: "odile", nickname: "Odile Varnay", avatar_thumb: picture } },
  };
  assert.deepEqual(commentItemProjection.project(comment), {
    cid: "901",
    text: "So quiet",
    create_time: 1_600_000_002,
    digg_count: 51,
    reply_comment_total: 52,
    user: { uid: "504", unique_id: "odile", nickname: "Odile Varnay", avatar_thumb: picture },
  });
});

test("music info", () => {
  const covers = { coverMedium: url("music-medium"), coverThumb: url("music-thumb") };
  const { title: _title, authorName: _author, duration: _duration, ...shared } = { ...MUSIC, ...covers };
  const request = { displayTime: 61, requestId: "request-1", hide: (text: string) => `[${text}]` };
  for (const set of ["isCopyrighted", "original", "private", "verified"]) {
    const flags = {
      isCopyrighted: set === "isCopyrighted",
      original: set === "original",
      private: set === "private",
    };
    const sound: Sound<NativeSound> = {
      ...blankRecord("sound"),
      ...CAPTURED,
      id: "701",
      title: "Tide Tables",
      artistName: "Nora L.",
      artistId: "506",
      durationS: 62,
      counters: { posts: 63 },
      native: { ...MUSIC, ...covers, ...flags, artist: { ...FORMER, ...AUTHOR, verified: set === "verified" } },
    };
    const info = (artist: Account<NativeUser> | null, of = sound) => toMusicInfo(of, artist, 64, request)?.data;
    const stored = { id: "501", uniqueId: "nora", nickname: "Nora Lindqvist", signature: "[Ferries]" };
    assert.deepEqual(info(anAccount(set)), {
      extra: { logid: "request-1", now: 61 },
      log_pb: { impr_id: "request-1" },
      musicInfo: {
        music: { ...shared, ...flags, id: "701", title: "Tide Tables", authorName: "Nora L.", duration: 62 },
        artist: { ...stored, avatarLarger: USER.avatarLarger, verified: set === "verified" },
        stats: { videoCount: 64 },
      },
      shareMeta: { title: "Tide Tables", desc: "Tide Tables by Nora L." },
      statusCode: 0,
      status_code: 0,
      status_msg: "",
    });
    const captured = { ...AUTHOR, signature: "[Then]", verified: set === "verified" };
    assert.deepEqual(info(null)?.musicInfo?.artist, { ...captured, id: "506" });
    assert.deepEqual(info(null, { ...sound, artistId: null })?.musicInfo?.artist, { ...captured, id: "599" });
  }
});
