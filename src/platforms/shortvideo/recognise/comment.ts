/** Comments and their replies. The post is named by the comment's `aweme_id` or by the list it is in. */
import type { Collector } from "#api/importer.ts";
import { Estimates } from "#import/capture/estimates.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readCommentText,
  readCount,
  readFilledText,
  readId,
  readObjectAt,
  readObjects,
  readUrls,
} from "#import/capture/field-readers.ts";
import { readTime } from "#import/capture/table-cells.ts";
import type { NativeComment } from "../native.ts";
import { readAccountName } from "./account-name.ts";
import { collectUser } from "./user.ts";

/** What the enclosing list or comment knows. */
interface CommentContext {
  postId?: string | undefined;
  parentId?: string | undefined;
}

export function isComment(object: Fields): boolean {
  if (!("cid" in object)) return false;
  // Stickers and pictures have no text.
  if (!("text" in object || "image_list" in object)) return "aweme_id" in object && "create_time" in object;
  return "digg_count" in object || "create_time" in object || "aweme_id" in object;
}

export function collectComment(comment: Fields, collect: Collector, context: CommentContext = {}): void {
  const id = readId(comment["cid"]);
  const postId = readPostId(comment) ?? context.postId;
  if (id === undefined) return collect.refuse("comment_without_id");
  if (postId === undefined) return collect.refuse("comment_without_post");
  const user = readCommenter(comment);
  const parentId = readId(comment["reply_id"]) ?? context.parentId;
  const estimates = new Estimates();
  collect.comment({
    id,
    postId,
    parentId: parentId === id ? undefined : parentId,
    authorId: collectUser(user, [], collect),
    text: readCommentText(comment["text"]),
    publishedAt: estimates.value("publishedAt", readTime(comment["create_time"])),
    counters: omitUnknown({
      likes: readCount(comment["digg_count"]),
      replies: readCount(comment["reply_comment_total"]),
    }),
    native: toNativeComment(user),
    approximate: estimates.margins,
  });
  for (const reply of readObjects(comment["reply_comment"])) collectComment(reply, collect, { postId, parentId: id });
}

function readPostId(object: Fields): string | undefined {
  return readId(object["aweme_id"]) ?? readId(object["awemeId"]);
}

/** An object, only a name (in embedded page state), or flattened into the comment by a tool. */
function readCommenter(comment: Fields): Fields {
  const { user } = comment;
  if (isFields(user)) return user;
  if (typeof user === "string") return { uniqueId: user };
  return { uid: comment["uid"], unique_id: comment["unique_id"], nickname: comment["nickname"] };
}

function toNativeComment(user: Fields): NativeComment {
  const avatar = readObjectAt(user["avatar_thumb"]);
  return (
    omitUnknown<NativeComment>({
      user: omitUnknown({
        uid: readId(user["uid"]) ?? readId(user["id"]),
        unique_id: readAccountName(user["unique_id"]) ?? readAccountName(user["uniqueId"]),
        nickname: readFilledText(user["nickname"]),
        avatar_thumb: omitUnknown({
          uri: readFilledText(avatar["uri"]),
          url_list: readUrls(avatar["url_list"]) ?? readUrls([user["avatarThumb"]]),
        }),
      }),
    }) ?? {}
  );
}

/** A response or another object with comments; it may name the post where they do not. */
export function isCommentList(object: Fields): boolean {
  return readObjects(object["comments"]).some(isComment);
}

export function collectCommentList(object: Fields, collect: Collector, postId?: string): void {
  const comments = readObjects(object["comments"]);
  const context = { postId: readPostId(object) ?? comments.map(readPostId).find((id) => id !== undefined) ?? postId };
  const total = readCount(object["total"]);
  // In a list of replies it is the number of replies.
  const isOfPost = comments.every((comment) => readId(comment["reply_id"]) === undefined);
  if (context.postId !== undefined && total !== undefined && isOfPost) {
    collect.post({ id: context.postId, counters: { comments: total } });
  }
  for (const comment of comments) collectComment(comment, collect, context);
}
