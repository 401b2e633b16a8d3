/** Collects a comment, whatever its format, with its author. */
import type { Collector } from "#api/importer.ts";
import { EXCERPT } from "#domain/approximate.ts";
import { Estimates, type Measured } from "#import/capture/estimates.ts";
import { omitUnknown } from "#import/capture/field-readers.ts";
import type { NativeThumbnail } from "../native.ts";
import { readHandle } from "./id-forms.ts";
import { collectChannel } from "./collect-video.ts";

interface CapturedComment {
  id: string | undefined;
  videoId: string;
  parentId?: string | undefined;
  text?: string | undefined;
  /** The text may not be whole. */
  isExcerpt?: boolean;
  publishedAt?: Measured | undefined;
  likes?: Measured | undefined;
  replies?: Measured | undefined;
  /** As displayed: a name, or since 2022 the handle. */
  authorName?: string | undefined;
  /** Where it stands beside the name; without `@`. */
  authorHandle?: string | undefined;
  authorChannelId?: string | undefined;
  authorThumbnails?: NativeThumbnail[] | undefined;
  authorVerified?: boolean | undefined;
  capturedAt?: number | undefined;
}

export function collectComment(comment: CapturedComment, collect: Collector): void {
  const { id, authorHandle, authorChannelId, authorThumbnails, capturedAt } = comment;
  if (id === undefined) return collect.refuse("comment_without_id");
  const authorName = comment.authorName ?? (authorHandle === undefined ? undefined : `@${authorHandle}`);
  const shownHandle = readHandle(authorName);
  const authorId = collectChannel(
    {
      id: authorChannelId,
      handle: authorHandle ?? shownHandle,
      // A handle replaces the name, which stays unknown.
      title: shownHandle === undefined ? authorName : undefined,
      verified: comment.authorVerified,
      thumbnails: authorThumbnails,
      capturedAt,
    },
    collect,
  );
  const estimates = new Estimates();
  if (comment.isExcerpt === true) estimates.add("text", EXCERPT);
  collect.comment({
    id,
    postId: comment.videoId,
    parentId: comment.parentId ?? parseParentId(id),
    authorId,
    text: comment.text,
    publishedAt: estimates.value("publishedAt", comment.publishedAt),
    counters: estimates.counters({ likes: comment.likes, replies: comment.replies }),
    approximate: estimates.margins,
    native: omitUnknown({ authorName, authorChannelId, authorThumbnails }),
    capturedAt,
  });
}

/** A reply's id is its parent's id, a dot, and its own. */
function parseParentId(id: string): string | undefined {
  const dot = id.indexOf(".");
  return dot > 0 ? id.slice(0, dot) : undefined;
}
