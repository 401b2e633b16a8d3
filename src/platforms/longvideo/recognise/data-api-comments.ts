/** Comments of the Data API: threads with their answers, and comments on their own. */
import type { Collector } from "#contract/importer.ts";
import { collectComment } from "../importers/collect-comment.ts";
import {
  addressOf,
  countOf,
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  textOf,
  videoIdOf,
  within,
} from "../importers/field-readers.ts";
import { plainTextOf } from "../importers/html-text.ts";
import { momentOf } from "../importers/moments.ts";

/** What the thread around a comment knows of it. */
interface Thread {
  videoId?: string | undefined;
  parentId?: string | undefined;
  replies?: number | undefined;
}

export function readThread(resource: Fields, collect: Collector): void {
  const snippet = within(resource, "snippet");
  const top = fieldsOf(snippet["topLevelComment"]);
  const videoId = videoIdOf(snippet["videoId"]) ?? videoIdOf(within(top, "snippet")["videoId"]);
  if (videoId === undefined && idOf(snippet["channelId"]) !== undefined) {
    collect.skip("a comment on a channel, not on a video");
    return;
  }
  if (videoId !== undefined) collect.post({ id: videoId });
  if (top === undefined) collect.refuse("comment thread without its comment");
  else readCommentResource(top, { videoId, replies: countOf(snippet["totalReplyCount"]) }, collect);
  const parentId = idOf(top?.["id"]) ?? idOf(resource["id"]);
  for (const item of listOf(within(resource, "replies")["comments"])) {
    const reply = fieldsOf(item);
    if (reply !== undefined) readCommentResource(reply, { videoId, parentId }, collect);
  }
}

export function readCommentResource(resource: Fields, thread: Thread, collect: Collector): void {
  const snippet = within(resource, "snippet");
  const id = idOf(resource["id"]);
  const videoId = videoIdOf(snippet["videoId"]) ?? thread.videoId;
  if (id === undefined) {
    collect.refuse("comment has no id");
    return;
  }
  if (videoId === undefined) {
    collect.refuse("comment does not say which video it is of");
    return;
  }
  const avatar = addressOf(snippet["authorProfileImageUrl"]);
  collectComment(
    {
      id,
      videoId,
      parentId: idOf(snippet["parentId"]) ?? thread.parentId,
      // `textDisplay` is HTML, `textOriginal` is what was written; both are not always there.
      text: textOf(snippet["textOriginal"]) ?? plainTextOf(snippet["textDisplay"]),
      publishedAt: momentOf(snippet["publishedAt"]),
      likes: countOf(snippet["likeCount"]),
      replies: thread.replies,
      authorName: textOf(snippet["authorDisplayName"]),
      authorChannelId: idOf(within(snippet, "authorChannelId")["value"]),
      authorThumbnails: avatar === undefined ? undefined : [{ url: avatar }],
    },
    collect,
  );
}
