/**
 * Comments on the platform's pages. Their age is a text such as "3 days ago": where the capture's time is known it is
 * read as the time it names, since comments are shown by their age and never by a date.
 */
import type { Collector } from "#contract/importer.ts";
import { collectComment } from "../importers/collect-comment.ts";
import {
  addressOf,
  countOf,
  type Fields,
  flagOf,
  idOf,
  textOf,
  thumbnailsOf,
  videoIdOf,
  within,
} from "../importers/field-readers.ts";
import { estimatedMoment } from "../importers/moments.ts";
import type { NativeThumbnail } from "../native.ts";
import type { AnswerContext } from "./answer-context.ts";
import { exactCount, firstRun, shownCount, shownText } from "./page-text.ts";

const NO_VIDEO = "comment does not say which video it is of";

export function readCommentEntity(entity: Fields, context: AnswerContext, collect: Collector): void {
  const properties = within(entity, "properties");
  const author = within(entity, "author");
  const toolbar = within(entity, "toolbar");
  const id = idOf(properties["commentId"]);
  if (id === undefined) return collect.refuse("comment has no id");
  if (context.videoId === undefined) return collect.refuse(NO_VIDEO);
  collect.post({ id: context.videoId });
  collectComment(
    {
      id,
      videoId: context.videoId,
      text: shownText(properties["content"]),
      publishedAt: estimatedMoment(textOf(properties["publishedTime"]), context.capturedAt ?? null),
      likes: countOrNone(toolbar["likeCountNotliked"]),
      replies: countOrNone(toolbar["replyCount"]),
      authorName: textOf(author["displayName"]),
      authorChannelId: idOf(author["channelId"]),
      authorThumbnails:
        picture(author["avatarThumbnailUrl"]) ?? thumbnailsOf(within(entity, "avatar", "image")["sources"]),
      authorVerified: flagOf(author["isVerified"]),
    },
    collect,
  );
}

export function readCommentRenderer(comment: Fields, context: AnswerContext, collect: Collector): void {
  const id = idOf(comment["commentId"]);
  const link = within(firstRun(comment["publishedTimeText"]), "navigationEndpoint", "watchEndpoint");
  const videoId = videoIdOf(link["videoId"]) ?? context.videoId;
  if (id === undefined) return collect.refuse("comment has no id");
  if (videoId === undefined) return collect.refuse(NO_VIDEO);
  collect.post({ id: videoId });
  collectComment(
    {
      id,
      videoId,
      text: shownText(comment["contentText"]),
      publishedAt: estimatedMoment(shownText(comment["publishedTimeText"]), context.capturedAt ?? null),
      likes: shownCount(comment["voteCount"]),
      replies: countOf(comment["replyCount"]),
      authorName: shownText(comment["authorText"]),
      authorChannelId: idOf(within(comment, "authorEndpoint", "browseEndpoint")["browseId"]),
      authorThumbnails: thumbnailsOf(within(comment, "authorThumbnail")["thumbnails"]),
    },
    collect,
  );
}

/** "1,234 Comments" above the list. */
export function readCommentsHeader(header: Fields, { videoId }: AnswerContext, collect: Collector): void {
  const comments = exactCount(header["countText"]);
  if (videoId !== undefined && comments !== undefined) collect.post({ id: videoId, counters: { comments } });
}

/** The page shows nothing where there are none: the text is there, and it is empty. */
function countOrNone(value: unknown): number | undefined {
  return typeof value === "string" && value.trim() === "" ? 0 : shownCount(value);
}

function picture(value: unknown): NativeThumbnail[] | undefined {
  const url = addressOf(value);
  return url === undefined ? undefined : [{ url }];
}
