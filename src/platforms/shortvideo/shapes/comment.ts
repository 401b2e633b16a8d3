import { type Static, Type } from "#api/schema.ts";
import { defineProjection } from "#api/define-projection.ts";
import type { Nullable } from "#api/nullable.ts";
import { Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import type { Comment } from "#domain/comment.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeComment } from "../native.ts";

export const CommentItem = wireObject({
  cid: Text,
  text: Text,
  create_time: Timestamp,
  digg_count: Integer,
  reply_comment_total: Integer,
  user: wireObject({
    uid: Text,
    unique_id: Text,
    nickname: Text,
    avatar_thumb: wireObject({ uri: Text, url_list: Type.Array(Url) }),
  }),
});
export type CommentItem = Static<typeof CommentItem>;

function toCommentItem(comment: Comment<NativeComment>): Nullable<CommentItem> {
  const { user } = comment.native;
  return {
    cid: comment.id,
    text: comment.text,
    create_time: comment.publishedAt,
    digg_count: comment.counters.likes ?? null,
    reply_comment_total: comment.counters.replies ?? null,
    user: {
      uid: platformId(comment.authorId),
      unique_id: user?.unique_id ?? null,
      nickname: user?.nickname ?? null,
      avatar_thumb: { uri: user?.avatar_thumb?.uri ?? null, url_list: user?.avatar_thumb?.url_list ?? null },
    },
  };
}

export const commentItemProjection = defineProjection("comment-item", 1, CommentItem, toCommentItem);
