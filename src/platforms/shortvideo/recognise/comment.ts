/** Comments and their answers. A comment belongs to a post: by its own `aweme_id`, or by the list it stands in. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readCount,
  readFilledText,
  readId,
  readItems,
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeComment } from "../native.ts";
import { readAccountName } from "./account-name.ts";
import { collectUser } from "./user.ts";

interface Place {
  postId?: string | undefined;
  parentId?: string | undefined;
}

export function isComment(object: Fields): boolean {
  if (!("cid" in object) || !("text" in object || "image_list" in object)) return false;
  return "digg_count" in object || "create_time" in object || "aweme_id" in object;
}

export function collectComment(comment: Fields, collect: Collector, place: Place = {}): void {
  const id = readId(comment["cid"]);
  const postId = postIdOf(comment) ?? place.postId;
  if (id === undefined) collect.refuse("comment_without_id");
  else if (postId === undefined) collect.refuse("comment_without_post");
  else {
    const user = userOf(comment);
    const parentId = readId(comment["reply_id"]) ?? place.parentId;
    collect.comment({
      id,
      postId,
      parentId: parentId === id ? undefined : parentId,
      authorId: collectUser(user, [], collect),
      text: readText(comment["text"]),
      publishedAt: readTimestamp(comment["create_time"]),
      counters: omitUnknown({
        likes: readCount(comment["digg_count"]),
        replies: readCount(comment["reply_comment_total"]),
      }),
      native: toNativeComment(user),
    });
    for (const reply of readObjects(comment["reply_comment"])) collectComment(reply, collect, { postId, parentId: id });
  }
}

function postIdOf(object: Fields): string | undefined {
  return readId(object["aweme_id"]) ?? readId(object["awemeId"]);
}

/** An object; the name alone in embedded page state; or flattened into the comment by a tool. */
function userOf(comment: Fields): Fields {
  const { user } = comment;
  if (isFields(user)) return user;
  if (typeof user === "string") return { uniqueId: user };
  return { uid: comment["uid"], unique_id: comment["unique_id"], nickname: comment["nickname"] };
}

function toNativeComment(user: Fields): NativeComment {
  const avatar = readObjectAt(user["avatar_thumb"]);
  const addresses = readItems(avatar["url_list"]).flatMap((address) => readUrl(address) ?? []);
  const single = readUrl(user["avatarThumb"]);
  if (addresses.length === 0 && single !== undefined) addresses.push(single);
  return (
    omitUnknown<NativeComment>({
      user: omitUnknown({
        uid: readId(user["uid"]) ?? readId(user["id"]),
        unique_id: readAccountName(user["unique_id"]) ?? readAccountName(user["uniqueId"]),
        nickname: readFilledText(user["nickname"]),
        avatar_thumb: omitUnknown({
          uri: readFilledText(avatar["uri"]),
          url_list: addresses.length === 0 ? undefined : addresses,
        }),
      }),
    }) ?? {}
  );
}

/** An answer, or anything else that holds comments: it may know the post where they do not say. */
export function isCommentList(object: Fields): boolean {
  return readObjects(object["comments"]).some(isComment);
}

export function collectCommentList(object: Fields, collect: Collector, postId?: string): void {
  const comments = readObjects(object["comments"]);
  const own = postIdOf(object) ?? postId;
  const place = { postId: own ?? comments.map(postIdOf).find((id) => id !== undefined) };
  for (const comment of comments) collectComment(comment, collect, place);
}
