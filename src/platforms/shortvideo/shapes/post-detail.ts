/** One post in full. Here, unlike in lists, counts and time are strings of digits. */
import type { Static } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { DigitText, digits, Flag, Integer, Text, Url, wireObject } from "#api/wire.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost } from "../native.ts";
import { ItemVideo, toItemAuthor, toItemVideo, toStatsText } from "./post-item.ts";
import { ShareMeta } from "./share-meta.ts";

const stats = {
  diggCount: DigitText,
  shareCount: DigitText,
  commentCount: DigitText,
  playCount: DigitText,
  collectCount: DigitText,
};

export const PostDetail = wireObject({
  itemInfo: wireObject({
    itemStruct: wireObject({
      id: Text,
      desc: Text,
      createTime: DigitText,
      author: wireObject({ id: Text, uniqueId: Text, nickname: Text, avatarLarger: Url, verified: Flag }),
      stats: wireObject(stats),
      statsV2: wireObject({ ...stats, repostCount: DigitText }),
      video: ItemVideo,
      music: wireObject({ id: Text, title: Text, authorName: Text, duration: Integer, coverLarge: Url }),
    }),
  }),
  shareMeta: ShareMeta,
  statusCode: Integer,
  statusMsg: Text,
});
export type PostDetail = Static<typeof PostDetail>;

function toPostDetail(post: Post<NativePost>): Nullable<PostDetail> {
  const author = toItemAuthor(post);
  const music = post.native.music ?? {};
  const { repostCount, ...counts } = toStatsText(post);
  return {
    itemInfo: {
      itemStruct: {
        id: post.id,
        desc: post.text,
        createTime: digits(post.publishedAt),
        author,
        stats: { ...counts },
        statsV2: { ...counts, repostCount },
        video: toItemVideo(post),
        music: {
          id: post.soundId,
          title: music.title ?? null,
          authorName: music.authorName ?? null,
          duration: music.duration ?? null,
          coverLarge: music.coverLarge ?? null,
        },
      },
    },
    shareMeta: {
      title: author.nickname === null ? null : `A video by ${author.nickname}`,
      desc: post.text,
    },
    statusCode: 0,
    statusMsg: "",
  };
}

export const postDetailProjection = defineProjection("post-detail", 1, PostDetail, toPostDetail);
