/** Comments of both families with their replies. A comment belongs to a post or it is not kept. */
import type { Collector } from "#contract/importer.ts";
import { collectUser, readUser } from "./captured-user.ts";
import {
  countOf,
  idOf,
  type JsonObject,
  known,
  nodesOf,
  objectOf,
  objectsIn,
  secondsOf,
  textOf,
} from "./field-readers.ts";
import { HOW_TO_SAY_WHICH_POST } from "./surroundings.ts";

export const POSTLESS_COMMENTS = `comments do not say which post they belong to; ${HOW_TO_SAY_WHICH_POST}`;

const ITEM_SIGNS = ["media_id", "comment_like_count", "child_comment_count", "content_type", "parent_comment_id"];

/** The caption of a post has the form of a comment, but its type is 1. */
export function isItemComment(object: JsonObject): boolean {
  if (object["__typename"] !== "XDTCommentDict" && !ITEM_SIGNS.some((sign) => sign in object)) return false;
  return (
    idOf(object["pk"]) !== undefined &&
    typeof object["text"] === "string" &&
    object["type"] !== 1 &&
    objectOf(object["user"]) !== undefined
  );
}

export function isGraphComment(object: JsonObject): boolean {
  return (
    idOf(object["id"]) !== undefined &&
    typeof object["text"] === "string" &&
    "created_at" in object &&
    typeof objectOf(object["owner"])?.["username"] === "string"
  );
}

/** Those that stand within a post or an answer about it, of either family. */
export function collectCommentsIn(holder: JsonObject, postId: string, collect: Collector): void {
  const items = [...objectsIn(holder["preview_comments"]), ...objectsIn(holder["comments"])].filter(isItemComment);
  for (const comment of items) collectComment(comment, { postId }, collect);
  for (const edge of ["edge_media_to_parent_comment", "edge_media_to_comment", "edge_media_preview_comment"]) {
    const nodes = (nodesOf(holder[edge]) ?? []).filter(isGraphComment);
    for (const comment of nodes) collectComment(comment, { postId }, collect);
  }
}

export interface CommentPlace {
  postId: string;
  parentId?: string | undefined;
}

/** With its replies, as far as they stand within it. */
export function collectComment(comment: JsonObject, place: CommentPlace, collect: Collector): void {
  const id = idOf(comment["pk"]) ?? idOf(comment["id"]);
  if (id === undefined) {
    collect.refuse("comment has no id");
    return;
  }
  const author = readUser(comment["user"] ?? comment["owner"]);
  const threaded = objectOf(comment["edge_threaded_comments"]);
  const replies = [
    ...objectsIn(comment["preview_child_comments"]),
    ...objectsIn(comment["child_comments"]),
    ...objectsIn(comment["answers"]),
    ...(nodesOf(threaded) ?? []),
  ];
  collect.comment({
    id,
    postId: place.postId,
    parentId: place.parentId ?? idOf(comment["parent_comment_id"]) ?? idOf(comment["replied_to_comment_id"]),
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: textOf(comment["text"]),
    publishedAt: secondsOf(comment["created_at_utc"]) ?? secondsOf(comment["created_at"]),
    counters:
      known({
        likes:
          countOf(comment["comment_like_count"]) ??
          countOf(comment["likes_count"]) ??
          countOf(objectOf(comment["edge_liked_by"])?.["count"]),
        replies: countOf(comment["child_comment_count"]) ?? countOf(threaded?.["count"]),
      }) ?? {},
    native:
      known({
        user:
          author === undefined
            ? undefined
            : known({
                pk: author.id,
                username: author.name,
                full_name: author.displayName,
                is_verified: author.verified,
                profile_pic_url: author.native.profile_pic_url,
              }),
      }) ?? {},
  });
  for (const reply of replies) collectComment(reply, { postId: place.postId, parentId: id }, collect);
}
