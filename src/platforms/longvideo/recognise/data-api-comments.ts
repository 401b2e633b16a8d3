/** Data API comments: threads with their replies, and single comments. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readObject,
  readObjectAt,
  readObjects,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { readPlainId, readVideoId } from "../importers/id-forms.ts";
import { collectComment } from "../importers/collect-comment.ts";
import { readSingleThumbnail } from "../importers/thumbnails.ts";
import { htmlToText } from "#import/capture/html-text.ts";

/** What the enclosing thread knows about a comment. */
interface Thread {
  videoId?: string | undefined;
  parentId?: string | undefined;
  replies?: number | undefined;
}

export function readThread(resource: Fields, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const top = readObject(snippet["topLevelComment"]);
  const videoId = readVideoId(snippet["videoId"]) ?? readVideoId(readObjectAt(top, "snippet")["videoId"]);
  if (videoId === undefined && readPlainId(snippet["channelId"]) !== undefined) {
    return collect.skip("a comment on a channel, not on a video");
  }
  if (top === undefined) collect.refuse("unknown_record");
  else readCommentResource(top, { videoId, replies: readCount(snippet["totalReplyCount"]) }, collect);
  const parentId = readPlainId(top?.["id"]) ?? readPlainId(resource["id"]);
  for (const reply of readObjects(readObjectAt(resource, "replies")["comments"])) {
    readCommentResource(reply, { videoId, parentId }, collect);
  }
}

export function readCommentResource(resource: Fields, thread: Thread, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const id = readPlainId(resource["id"]);
  const videoId = readVideoId(snippet["videoId"]) ?? thread.videoId;
  if (id === undefined) return collect.refuse("comment_without_id");
  if (videoId === undefined) return collect.refuse("comment_without_post");
  collect.post({ id: videoId });
  collectComment(
    {
      id,
      videoId,
      parentId: readPlainId(snippet["parentId"]) ?? thread.parentId,
      // `textOriginal` is what was typed, `textDisplay` its HTML; either may be missing.
      text: readFilledText(snippet["textOriginal"]) ?? htmlToText(snippet["textDisplay"]),
      publishedAt: readTimestamp(snippet["publishedAt"]),
      likes: readCount(snippet["likeCount"]),
      replies: thread.replies,
      authorName: readFilledText(snippet["authorDisplayName"]),
      authorChannelId: readPlainId(readObjectAt(snippet, "authorChannelId")["value"]),
      authorThumbnails: readSingleThumbnail(snippet["authorProfileImageUrl"]),
    },
    collect,
  );
}
