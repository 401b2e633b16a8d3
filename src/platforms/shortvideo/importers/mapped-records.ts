/** What a table of posts, accounts, comments, sounds or hashtags can say, read as TikTok's own objects are. */
import type { ImportSupport } from "#api/platform.ts";
import { withoutMargin } from "#import/capture/estimates.ts";
import { ACCOUNT_FIELDS, COMMENT_FIELDS, defineMappable, POST_FIELDS } from "#import/capture/mapped-record.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectHashtag, readHashtagName } from "../recognise/hashtag.ts";
import { collectItem } from "../recognise/item.ts";
import { collectBareSound } from "../recognise/sound.ts";
import { collectAccount } from "../recognise/user.ts";
import { commentItemProjection } from "../shapes/comment.ts";
import { postDetailProjection } from "../shapes/post-detail.ts";
import { userInfoProjection } from "../shapes/user-info.ts";
import { parseVideoUrl } from "../video-url.ts";

/** A number, or the URL of a post. */
function readPostId(...values: (string | undefined)[]): string | undefined {
  for (const value of values) {
    const parsed = /^\d+$/.test(value ?? "") ? { id: value } : parseVideoUrl(value ?? "");
    if ("id" in parsed) return parsed.id;
  }
  return undefined;
}

const post = defineMappable({
  fields: [
    ...POST_FIELDS,
    "language",
    "country",
    "hashtags",
    "category",
    "shares",
    "saves",
    "reposts",
    "video",
    "sound_id",
    "sound_title",
  ],
  idFields: ["id", "url"],
  projection: postDetailProjection,
  collect(record, collect) {
    const item = {
      id: readPostId(record.url, record.id),
      desc: record.text,
      createTime: withoutMargin(record.published_at),
      textLanguage: record.language,
      locationCreated: record.country,
      author: { id: record.author_id, uniqueId: record.author_name, nickname: record.author_display_name },
      stats: {
        playCount: record.views,
        diggCount: record.likes,
        commentCount: record.comments,
        shareCount: record.shares,
        collectCount: record.saves,
        repostCount: record.reposts,
      },
      imagePost: { title: record.title },
      diversificationLabels: [record.category],
      video: { duration: record.duration_s, cover: record.picture, playAddr: record.video },
      music: { id: record.sound_id, title: record.sound_title },
      textExtra: record.hashtags?.map((name) => ({ hashtagName: name })),
    };
    collectItem(item, collect);
  },
});

const account = defineMappable({
  fields: [...ACCOUNT_FIELDS, "private", "language", "country", "created_at", "following", "likes", "friends"],
  idFields: ["id", "name"],
  projection: userInfoProjection,
  collect(record, collect) {
    const user = {
      id: record.id,
      uniqueId: record.name,
      nickname: record.display_name,
      signature: record.bio,
      verified: record.verified,
      privateAccount: record.private,
      language: record.language,
      region: record.country,
      createTime: record.created_at,
      avatarLarger: record.picture,
    };
    const stats = {
      followerCount: record.followers,
      followingCount: record.following,
      videoCount: record.posts,
      heartCount: record.likes,
      friendCount: record.friends,
    };
    collectAccount(user, [stats], collect);
  },
});

const comment = defineMappable({
  fields: [...COMMENT_FIELDS, "picture"],
  idFields: ["id"],
  projection: commentItemProjection,
  collect(record, collect) {
    const postId = readPostId(record.post_id);
    if (postId !== undefined) collect.post({ id: postId });
    const user = { uid: record.author_id, unique_id: record.author_name, nickname: record.author_display_name };
    collectComment(
      {
        cid: record.id,
        aweme_id: postId,
        reply_id: record.parent_id,
        text: record.text,
        create_time: withoutMargin(record.published_at),
        digg_count: record.likes,
        reply_comment_total: record.replies,
        user: { ...user, avatar_thumb: { url_list: [record.picture] } },
      },
      collect,
    );
  },
});

const sound = defineMappable({
  fields: ["id", "title", "artist_name", "duration_s", "posts", "picture"],
  idFields: ["id"],
  collect(record, collect) {
    const { id, title, artist_name: authorName, duration_s: duration, picture: coverLarge, posts } = record;
    collectBareSound({ id, title, authorName, duration, coverLarge }, collect, posts);
  },
});

const hashtag = defineMappable({
  fields: ["name", "platform_id", "posts", "views", "text"],
  idFields: ["name"],
  collect({ name: written, platform_id: id, posts, views, text }, collect) {
    const name = readHashtagName(written);
    if (name === undefined) collect.refuse("hashtag_without_name");
    else collectHashtag(name, { id, desc: text }, collect, { posts, views });
  },
});

export const MAPPABLE: ImportSupport["mappable"] = { post, account, comment, sound, hashtag };
