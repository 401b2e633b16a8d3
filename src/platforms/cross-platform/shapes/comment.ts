/** A comment of any platform, in one shape. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { nullable, NullableText, Text, wireObject } from "#api/wire.ts";
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { platformId } from "#domain/provisional-id.ts";
import { ApproximateFields, listApproximate } from "./approximate.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, toKnownCounters } from "./counters.ts";

export const CommentSummary = wireObject({
  id: Text,
  parent_id: nullable(Type.String({ description: "The comment that it replies to; null at the top level." })),
  author_id: NullableText,
  author_name: nullable(Type.String({ description: "Null if no stored capture tells it." })),
  author_display_name: nullable(
    Type.String({ description: "All that is known of authors on the long-video platform before it had handles." }),
  ),
  text: NullableText,
  published_at: nullable(Type.Integer({ description: "Unix seconds." })),
  counters: KnownCounters,
  approximate: ApproximateFields,
  captured_at: CaptureTime,
  source: Type.String({ description: "Tool or format that it was captured with." }),
});
type CommentSummary = Static<typeof CommentSummary>;

export function toCommentSummary(comment: Comment, author: Account | undefined): Nullable<CommentSummary> {
  return {
    id: comment.id,
    parent_id: comment.parentId,
    author_id: platformId(comment.authorId),
    author_name: author?.name ?? null,
    author_display_name: author?.displayName ?? null,
    text: comment.text,
    published_at: comment.publishedAt,
    counters: toKnownCounters(comment.counters),
    ...listApproximate(comment),
    captured_at: toCaptureTime(comment.capturedAt),
    source: comment.source,
  };
}
