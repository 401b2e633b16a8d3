/**
 * Comments on YouTube's pages. Pages show only their age, such as "3 days ago"; where the capture time is known, the
 * publication time is estimated from it.
 */
import type { Collector } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { type Fields, readCount, readFilledText, readFlag, readObjectAt } from "#import/capture/field-readers.ts";
import { readPlainId, readVideoId } from "../importers/id-forms.ts";
import { readSingleThumbnail, readThumbnails } from "../importers/thumbnails.ts";
import { collectComment } from "../importers/collect-comment.ts";
import { collectVideo } from "../importers/collect-video.ts";
import { estimateTime } from "../importers/timestamps.ts";
import type { ResponseContext } from "./response-context.ts";
import { firstRun, readDisplayedCount, readPageText } from "./page-text.ts";

export function readCommentEntity(entity: Fields, context: ResponseContext, collect: Collector): void {
  const properties = readObjectAt(entity, "properties");
  const author = readObjectAt(entity, "author");
  const toolbar = readObjectAt(entity, "toolbar");
  const id = readPlainId(properties["commentId"]);
  if (id === undefined) return collect.refuse("comment_without_id");
  if (context.videoId === undefined) return collect.refuse("comment_without_post");
  collect.post({ id: context.videoId });
  collectComment(
    {
      id,
      videoId: context.videoId,
      text: readPageText(properties["content"]),
      publishedAt: estimateTime(readFilledText(properties["publishedTime"]), context.capturedAt ?? null),
      likes: readCountOrZero(toolbar["likeCountNotliked"]),
      replies: readCountOrZero(toolbar["replyCount"]),
      authorName: readFilledText(author["displayName"]),
      authorChannelId: readPlainId(author["channelId"]),
      authorThumbnails:
        readSingleThumbnail(author["avatarThumbnailUrl"]) ??
        readThumbnails(readObjectAt(entity, "avatar", "image")["sources"]),
      authorVerified: readFlag(author["isVerified"]),
    },
    collect,
  );
}

export function readCommentRenderer(comment: Fields, context: ResponseContext, collect: Collector): void {
  const id = readPlainId(comment["commentId"]);
  const link = readObjectAt(firstRun(comment["publishedTimeText"]), "navigationEndpoint", "watchEndpoint");
  const videoId = readVideoId(link["videoId"]) ?? context.videoId;
  if (id === undefined) return collect.refuse("comment_without_id");
  if (videoId === undefined) return collect.refuse("comment_without_post");
  collect.post({ id: videoId });
  collectComment(
    {
      id,
      videoId,
      text: readPageText(comment["contentText"]),
      publishedAt: estimateTime(readPageText(comment["publishedTimeText"]), context.capturedAt ?? null),
      likes: readDisplayedCount(comment["voteCount"]),
      replies: readCount(comment["replyCount"]),
      authorName: readPageText(comment["authorText"]),
      authorChannelId: readPlainId(readObjectAt(comment, "authorEndpoint", "browseEndpoint")["browseId"]),
      authorThumbnails: readThumbnails(readObjectAt(comment, "authorThumbnail")["thumbnails"]),
    },
    collect,
  );
}

/** "1,234 Comments", above the list. */
export function readCommentsHeader(header: Fields, { videoId }: ResponseContext, collect: Collector): void {
  const comments = readDisplayedCount(header["countText"]);
  if (videoId !== undefined && comments !== undefined) collectVideo({ id: videoId, counters: { comments } }, collect);
}

/** Pages write an empty text for zero. */
function readCountOrZero(value: unknown): Measured | undefined {
  return typeof value === "string" && value.trim() === "" ? 0 : readDisplayedCount(value);
}
