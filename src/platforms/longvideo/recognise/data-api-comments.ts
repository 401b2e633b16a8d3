/** Comments of the Data API: threads with their answers, and comments on their own. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readItems,
  readObject,
  readObjectAt,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { readPlainId, readVideoId } from "../importers/id-forms.ts";
import { collectComment } from "../importers/collect-comment.ts";
import { plainTextOf } from "#import/capture/html-text.ts";

/** What the thread around a comment knows of it. */
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
    collect.skip("a comment on a channel, not on a video");
    return;
  }
  if (videoId !== undefined) collect.post({ id: videoId });
  if (top === undefined) collect.refuse("unknown_record");
  else readCommentResource(top, { videoId, replies: readCount(snippet["totalReplyCount"]) }, collect);
  const parentId = readPlainId(top?.["id"]) ?? readPlainId(resource["id"]);
  for (const item of readItems(readObjectAt(resource, "replies")["comments"])) {
    const reply = readObject(item);
    if (reply !== undefined) readCommentResource(reply, { videoId, parentId }, collect);
  }
}

export function readCommentResource(resource: Fields, thread: Thread, collect: Collector): void {
  const snippet = readObjectAt(resource, "snippet");
  const id = readPlainId(resource["id"]);
  const videoId = readVideoId(snippet["videoId"]) ?? thread.videoId;
  if (id === undefined) {
    collect.refuse("comment_without_id");
    return;
  }
  if (videoId === undefined) {
    collect.refuse("comment_without_post");
    return;
  }
  const avatar = readUrl(snippet["authorProfileImageUrl"]);
  collectComment(
    {
      id,
      videoId,
      parentId: readPlainId(snippet["parentId"]) ?? thread.parentId,
      // `textDisplay` is HTML, `textOriginal` is what was written; both are not always there.
      text: readFilledText(snippet["textOriginal"]) ?? plainTextOf(snippet["textDisplay"]),
      publishedAt: readTimestamp(snippet["publishedAt"]),
      likes: readCount(snippet["likeCount"]),
      replies: thread.replies,
      authorName: readFilledText(snippet["authorDisplayName"]),
      authorChannelId: readPlainId(readObjectAt(snippet, "authorChannelId")["value"]),
      authorThumbnails: avatar === undefined ? undefined : [{ url: avatar }],
    },
    collect,
  );
}
