/** A post in a list (`itemList`), with counts as integers. */
import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { DigitText, digits, Flag, Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import { hideContacts } from "#domain/contacts.ts";
import type { Post } from "#domain/post.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativePost } from "../native.ts";

export const ItemVideo = wireObject({
  id: Text,
  duration: Integer,
  cover: Url,
  playAddr: Url,
  downloadAddr: Url,
  format: Text,
  definition: Text,
  bitrate: Integer,
  codecType: Text,
  width: Integer,
  height: Integer,
});

export const PostItem = wireObject({
  id: Text,
  desc: Text,
  createTime: Timestamp,
  author: wireObject({
    id: Text,
    uniqueId: Text,
    nickname: Text,
    avatarLarger: Url,
    avatarMedium: Url,
    avatarThumb: Url,
    signature: Type.String({ description: "E-mail addresses and phone numbers in it are hidden." }),
    verified: Flag,
    secUid: Text,
  }),
  stats: wireObject({
    diggCount: Integer,
    shareCount: Integer,
    commentCount: Integer,
    playCount: Integer,
    collectCount: Integer,
  }),
  statsV2: wireObject({
    diggCount: DigitText,
    shareCount: DigitText,
    commentCount: DigitText,
    playCount: DigitText,
    collectCount: DigitText,
    repostCount: DigitText,
  }),
  video: ItemVideo,
  music: wireObject({
    id: Text,
    title: Text,
    authorName: Text,
    album: Text,
    duration: Integer,
    coverLarge: Url,
    playUrl: Url,
    original: Flag,
  }),
  challenges: Type.Array(wireObject({ id: Text, title: Text })),
  textExtra: Type.Array(wireObject({ hashtagName: Text, userUniqueId: Text })),
});
export type PostItem = Static<typeof PostItem>;

function toPostItem(post: Post<NativePost>): Nullable<PostItem> {
  const { native, counters } = post;
  return {
    id: post.id,
    desc: post.text,
    createTime: post.publishedAt,
    author: {
      ...toItemAuthor(post),
      avatarMedium: native.author?.avatarMedium ?? null,
      avatarThumb: native.author?.avatarThumb ?? null,
      signature: native.author?.signature === undefined ? null : hideContacts(native.author.signature),
      secUid: native.author?.secUid ?? null,
    },
    stats: {
      diggCount: counters.likes ?? null,
      shareCount: counters.shares ?? null,
      commentCount: counters.comments ?? null,
      playCount: counters.views ?? null,
      collectCount: counters.saves ?? null,
    },
    statsV2: toStatsText(post),
    video: toItemVideo(post),
    music: {
      id: post.soundId,
      title: native.music?.title ?? null,
      authorName: native.music?.authorName ?? null,
      album: native.music?.album ?? null,
      duration: native.music?.duration ?? null,
      coverLarge: native.music?.coverLarge ?? null,
      playUrl: native.music?.playUrl ?? null,
      original: native.music?.original ?? null,
    },
    challenges: native.challenges?.map(({ id, title }) => ({ id: id ?? null, title: title ?? null })) ?? null,
    textExtra:
      native.textExtra?.map(({ hashtagName, userUniqueId }) => ({
        hashtagName: hashtagName ?? "",
        userUniqueId: userUniqueId ?? "",
      })) ?? null,
  };
}

export const postItemProjection = defineProjection("post-item", 2, PostItem, toPostItem);

export function toItemAuthor(post: Post<NativePost>) {
  const author = post.native.author ?? {};
  return {
    id: platformId(post.authorId),
    uniqueId: author.uniqueId ?? null,
    nickname: author.nickname ?? null,
    avatarLarger: author.avatarLarger ?? null,
    verified: author.verified ?? null,
  };
}

export function toItemVideo(post: Post<NativePost>) {
  const video = post.native.video ?? {};
  return {
    id: video.id ?? post.id,
    duration: post.durationS,
    cover: video.cover ?? null,
    playAddr: video.playAddr ?? null,
    downloadAddr: video.downloadAddr ?? null,
    format: video.format ?? null,
    definition: video.definition ?? video.ratio ?? null,
    bitrate: video.bitrate ?? null,
    codecType: video.codecType ?? null,
    width: video.width ?? null,
    height: video.height ?? null,
  };
}

export function toStatsText({ counters }: Post<NativePost>) {
  return {
    diggCount: digits(counters.likes),
    shareCount: digits(counters.shares),
    commentCount: digits(counters.comments),
    playCount: digits(counters.views),
    collectCount: digits(counters.saves),
    repostCount: digits(counters.reposts),
  };
}
