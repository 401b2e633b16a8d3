/** Comments in the item and graph formats, with their replies. A comment without a post is refused. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCommentText,
  readCount,
  readId,
  readObject,
  readObjectAt,
  readObjects,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { readNodes } from "./connection-nodes.ts";
import { collectUser, readUser, toEmbeddedUser } from "./captured-user.ts";

const ITEM_KEYS = ["media_id", "comment_like_count", "child_comment_count", "content_type", "parent_comment_id"];

/** A post's caption has the form of a comment, but type 1. */
export function isItemComment(object: Fields): boolean {
  if (object["__typename"] !== "XDTCommentDict" && !ITEM_KEYS.some((key) => key in object)) return false;
  return object["type"] !== 1 && isByUser(object, readId(object["pk"]) ?? readServiceId(object));
}

/** Other services have only `id`, which much else has, too. */
function readServiceId(object: Fields): string | undefined {
  return "comment_like_count" in object || "child_comment_count" in object ? readId(object["id"]) : undefined;
}

function isByUser(object: Fields, id = readId(object["pk"])): boolean {
  return id !== undefined && mayBeText(object["text"]) && readObject(object["user"]) !== undefined;
}

/** Stickers and pictures have none. */
function mayBeText(value: unknown): boolean {
  return typeof value === "string" || (value ?? null) === null;
}

/** The comments that pages for those who are not logged in have beside the post. */
export function readConnectedComments(holder: Fields): Fields[] {
  return (readNodes(holder["comments_connection"]) ?? []).filter((comment) => isByUser(comment));
}

export function isGraphComment(object: Fields): boolean {
  return (
    readId(object["id"]) !== undefined &&
    "text" in object &&
    mayBeText(object["text"]) &&
    "created_at" in object &&
    typeof readObject(object["owner"])?.["username"] === "string"
  );
}

/** Pinned comments are in a list of their own. */
const COMMENT_EDGES = [
  "edge_media_to_parent_comment",
  "edge_media_to_comment",
  "edge_media_preview_comment",
  "edge_media_to_hoisted_comment",
];

/** Collects the comments inside a post or a response about it, in either format. */
export function collectCommentsIn(holder: Fields, postId: string, collect: Collector): void {
  const items = [...readObjects(holder["preview_comments"]), ...readObjects(holder["comments"])].filter(isItemComment);
  for (const comment of [...items, ...readConnectedComments(holder)]) collectComment(comment, { postId }, collect);
  const nodes = COMMENT_EDGES.flatMap((edge) => readNodes(holder[edge]) ?? []);
  // instagram-scraper lists them in `data`.
  const listed = readObjects(readObjectAt(holder, "comments")["data"]);
  for (const comment of [...nodes, ...listed].filter(isGraphComment)) collectComment(comment, { postId }, collect);
}

/** Includes the replies inside it. */
export function collectComment(
  comment: Fields,
  parent: { postId: string; parentId?: string },
  collect: Collector,
): void {
  const id = readId(comment["pk"]) ?? readId(comment["id"]);
  if (id === undefined) return collect.refuse("comment_without_id");
  const author = readUser(comment["user"] ?? comment["owner"]);
  const threaded = readObject(comment["edge_threaded_comments"]);
  const replies = [
    ...readObjects(comment["preview_child_comments"]),
    ...readObjects(comment["child_comments"]),
    ...readObjects(comment["answers"]),
    ...(readNodes(threaded) ?? []),
  ];
  collect.comment({
    id,
    postId: parent.postId,
    parentId: parent.parentId ?? readId(comment["parent_comment_id"]) ?? readId(comment["replied_to_comment_id"]),
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: readCommentText(comment["text"]),
    publishedAt: readTimestamp(comment["created_at_utc"]) ?? readTimestamp(comment["created_at"]),
    counters: omitUnknown({
      likes:
        readCount(comment["comment_like_count"]) ??
        readCount(comment["likes_count"]) ??
        readCount(comment["like_count"]) ??
        readCount(readObject(comment["edge_liked_by"])?.["count"]) ??
        // InstaTouch's names.
        readCount(comment["likes"]),
      replies:
        readCount(comment["child_comment_count"]) ?? readCount(threaded?.["count"]) ?? readCount(comment["comments"]),
    }),
    native: omitUnknown({ user: toEmbeddedUser(author) }),
  });
  for (const reply of replies) collectComment(reply, { postId: parent.postId, parentId: id }, collect);
}
