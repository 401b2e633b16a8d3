/** A comment on a video, with likes and age as formatted text. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { DigitText, digits, Text, wireObject } from "#api/wire.ts";
import { countOf } from "#domain/approximate.ts";
import type { Comment } from "#domain/comment.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { NativeComment } from "../native.ts";
import { formatCount, formatRelativeTime } from "../display-text.ts";
import { Thumbnail, toThumbnails } from "./thumbnail.ts";

export const VideoComment = wireObject({
  id: Text,
  author_name: Text,
  author_channel_id: Text,
  like_count: Type.String({ default: "0", description: "Abbreviated count in `lang`, such as `1.2K`." }),
  published_time: Type.String({ description: "Relative time in `lang`, such as `3 days ago`." }),
  text: Text,
  number_of_replies: DigitText,
  thumbnails: Type.Array(Thumbnail, { description: "The author's picture." }),
});
export type VideoComment = Static<typeof VideoComment>;

/** `now` in Unix seconds. */
export function toVideoComment(comment: Comment<NativeComment>, now: number, language: string): Nullable<VideoComment> {
  const { native, counters } = comment;
  return {
    id: comment.id,
    author_name: native.authorName ?? null,
    author_channel_id: native.authorChannelId ?? platformId(comment.authorId),
    like_count: formatCount(counters.likes, language),
    published_time: formatRelativeTime(comment.publishedAt, now, language),
    text: comment.text,
    number_of_replies: digits(countOf(comment, "replies")),
    thumbnails: toThumbnails(native.authorThumbnails),
  };
}
