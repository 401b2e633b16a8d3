/** Sets of TikTok profiles that vendors such as Bright Data sell: the name is in `account_id`, the secUid in `secu_id`. */
import { type Fields, readFilledText, readObjects } from "#import/capture/field-readers.ts";
import { defineProfileSet } from "#import/capture/profile-set.ts";
import { collectItem } from "../recognise/item.ts";
import { collectUser } from "../recognise/user.ts";

const KEYS = ["secu_id", "videos_count", "profile_pic_url", "awg_engagement_rate", "top_videos", "is_verified"];

export const brightData = defineProfileSet("bright-data", isProfile, (profile, collect) => {
  const user = toUser(profile);
  if (collectUser(user, [toStats(profile)], collect, "profile") === undefined) collect.refuse("account_without_id");
  for (const video of readObjects(profile["top_videos"])) collectItem(toItem(video, user), collect);
});

function isProfile(record: Fields): boolean {
  return typeof record["account_id"] === "string" && KEYS.filter((key) => key in record).length >= 3;
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

function toItem(video: Fields, author: Fields): Fields {
  return {
    id: video["video_id"] ?? video["post_id"],
    desc: video["description"],
    createTime: video["create_date"] ?? video["create_time"],
    author: { id: author["id"], uniqueId: author["uniqueId"], nickname: author["nickname"] },
    stats: {
      playCount: video["playcount"] ?? video["play_count"],
      diggCount: video["diggcount"] ?? video["digg_count"] ?? video["likes"],
      commentCount: video["commentcount"] ?? video["comment_count"],
      shareCount: video["share_count"],
      collectCount: video["favorites_count"],
    },
    video: { cover: video["cover_image"] },
  };
}
