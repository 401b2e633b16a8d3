/** A search result: a post with its author and counts. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Flag, Integer, Text, Timestamp, Url, wireObject } from "#api/wire.ts";
import type { Post } from "#domain/post.ts";
import type { NativePost } from "../native.ts";
import { toItemAuthor, toItemVideo } from "./post-item.ts";

export const SearchResult = wireObject({
  common: wireObject({ doc_id_str: Text }),
  item: wireObject({
    id: Text,
    desc: Text,
    createTime: Timestamp,
    author: wireObject({ id: Text, uniqueId: Text, nickname: Text, avatarLarger: Url, verified: Flag }),
    stats: wireObject({ diggCount: Integer, shareCount: Integer, commentCount: Integer, playCount: Integer }),
    video: wireObject({ id: Text, duration: Integer, cover: Url }),
    music: wireObject({ id: Text, title: Text, authorName: Text }),
  }),
  type: Type.Integer({ description: "Always 1: a video." }),
});
export type SearchResult = Static<typeof SearchResult>;

const TYPE_VIDEO = 1;

export function toSearchResult(post: Post<NativePost>): Nullable<SearchResult> {
  const { counters, native } = post;
  const { id, duration, cover } = toItemVideo(post);
  return {
    common: { doc_id_str: post.id },
    item: {
      id: post.id,
      desc: post.text,
      createTime: post.publishedAt,
      author: toItemAuthor(post),
      stats: {
        diggCount: counters.likes ?? null,
        shareCount: counters.shares ?? null,
        commentCount: counters.comments ?? null,
        playCount: counters.views ?? null,
      },
      video: { id, duration, cover },
      music: {
        id: post.soundId,
        title: native.music?.title ?? null,
        authorName: native.music?.authorName ?? null,
      },
    },
    type: TYPE_VIDEO,
  };
}
