/** Sets that vendors such as Bright Data sell: the name is in `account_id`, the secUid in `secu_id`. */
import type { Collector } from "#api/importer.ts";
import { type Fields, readFilledText, readItems, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";
import { collectAccount } from "../recognise/user.ts";
import { parseSiteUrl } from "../site-url.ts";
import { videoIdInUrl } from "../video-url.ts";

const PROFILE_KEYS = ["secu_id", "videos_count", "profile_pic_url", "awg_engagement_rate", "top_videos", "is_verified"];
const POST_KEYS = ["post_id", "digg_count", "play_count", "profile_id"];
const COMMENT_KEYS = ["post_id", "comment_id", "commenter_id"];

export const brightData = defineProfileSet("bright-data", isRecord, (record, collect) => {
  if (isPost(record)) collectItem(toItem(record, toAuthor(record)), collect);
  else if (isComment(record)) collectComment(toComment(record), collect);
  else collectProfile(record, collect);
});

function isRecord(record: Fields): boolean {
  return isProfile(record) || isPost(record) || isComment(record);
}

function isPost(record: Fields): boolean {
  return POST_KEYS.every((key) => key in record);
}

/** The vendor's comments of other platforms have the same keys. */
function isComment(record: Fields): boolean {
  return COMMENT_KEYS.every((key) => key in record) && videoIdInUrl(record["post_url"] ?? record["url"]) !== undefined;
}

/** The latest posts have their numbers in one list and their texts in another. */
function collectProfile(profile: Fields, collect: Collector): void {
  const user = toUser(profile);
  collectAccount(user, [toStats(profile)], collect);
  const { id, uniqueId, nickname } = user;
  for (const post of [...readObjects(profile["top_videos"]), ...readObjects(profile["top_posts_data"])]) {
    collectItem(toItem(post, { id, uniqueId, nickname }), collect);
  }
}

function isProfile(record: Fields): boolean {
  return typeof record["account_id"] === "string" && PROFILE_KEYS.filter((key) => key in record).length >= 3;
}

function toUser(profile: Fields): Fields {
  return {
    id: profile["id"],
    uniqueId: profile["account_id"],
    nickname: profile["nickname"],
    signature: readFilledText(profile["signature"]) ?? profile["biography"],
    verified: profile["is_verified"],
    privateAccount: profile["is_private"],
    secUid: profile["secu_id"],
    avatarLarger: profile["profile_pic_url_hd"] ?? profile["profile_pic_url"],
    region: profile["region"],
    createTime: profile["create_time"],
    bioLink: { link: profile["bio_link"] },
    openFavorite: profile["open_favorite"],
    isADVirtual: profile["is_ad_virtual"],
    commerceUserInfo: { commerceUser: profile["is_commerce_user"] },
    shortId: profile["short_id"],
    roomId: profile["room_id"],
    ftc: profile["ftc"],
    commentSetting: profile["comment_setting"],
    duetSetting: profile["duet_setting"],
    stitchSetting: profile["stitch_setting"],
  };
}

function toStats(profile: Fields): Fields {
  return {
    followerCount: profile["followers"],
    followingCount: profile["following"],
    heartCount: profile["likes"],
    diggCount: profile["digg_count"],
    videoCount: profile["videos_count"],
  };
}

/** Who wrote a post; `profile_username` is the name shown. */
function toAuthor(post: Fields): Fields {
  return {
    id: post["profile_id"],
    uniqueId: readFilledText(post["account_id"]) ?? nameInUrl(post["profile_url"]),
    nickname: post["profile_username"],
    signature: post["profile_biography"],
    verified: post["is_verified"],
    secUid: post["secu_id"],
    avatarLarger: post["profile_avatar"],
  };
}

/** One of a list of posts, or one of a profile's. */
function toItem(post: Fields, author: Fields): Fields {
  const { id, title, authorname, original, playurl, covermedium } = readObjectAt(post["music"]);
  const pictures = readItems(post["carousel_images"]);
  return {
    id: post["post_id"] ?? post["video_id"],
    desc: post["description"],
    createTime: post["create_time"] ?? post["create_date"],
    locationCreated: post["region"],
    author,
    authorStats: { followerCount: post["profile_followers"] },
    stats: {
      playCount: post["playcount"] ?? post["play_count"],
      diggCount: post["diggcount"] ?? post["digg_count"] ?? post["likes"],
      commentCount: post["commentcount"] ?? post["comment_count"],
      shareCount: post["share_count"] ?? post["num_share_count"],
      collectCount: post["favorites_count"] ?? post["collect_count"],
    },
    video: {
      cover: post["cover_image"] ?? post["preview_image"],
      duration: post["video_duration"],
      width: post["width"],
      ratio: post["ratio"],
      // In a profile's list it is the URL of the page.
      playAddr: isPost(post) && pictures.length === 0 ? post["video_url"] : undefined,
    },
    imagePost: { images: pictures.map((url) => ({ imageURL: { urlList: [url] } })) },
    music: { id, title, authorName: authorname, original, playUrl: playurl, coverMedium: covermedium },
    textExtra: [
      ...readItems(post["hashtags"]).map((hashtagName) => ({ hashtagName })),
      ...readObjects(post["tagged_user"]).map((user) => ({
        userId: user["user_id"],
        userUniqueId: user["user_handle"],
      })),
    ],
  };
}

function toComment(comment: Fields): Fields {
  return {
    cid: comment["comment_id"],
    aweme_id: comment["post_id"],
    text: comment["comment_text"],
    create_time: comment["date_created"],
    digg_count: comment["num_likes"],
    reply_comment_total: comment["num_replies"],
    user: {
      uid: comment["commenter_id"],
      unique_id: nameInUrl(comment["commenter_url"]),
      nickname: comment["commenter_user_name"],
    },
  };
}

function nameInUrl(url: unknown): string | undefined {
  const target = parseSiteUrl(readFilledText(url) ?? "");
  return target?.kind === "account" && "name" in target ? target.name : undefined;
}
