/** Comments by Apify actors: single ones with their post's URL, or inside the post. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readCommentText,
  readId,
  readObjects,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import type { NativeComment } from "../native.ts";
import { type CapturedUser, collectUser, mergeUsers, readUser } from "../recognise/captured-user.ts";
import { postIdFromUrl } from "../recognise/enclosing-context.ts";

export function collectApifyComment(
  item: Fields,
  ofPost: string | undefined,
  collect: Collector,
  parentId?: string,
): void {
  const id = readId(item["id"]);
  const postId = ofPost ?? readId(item["postId"]) ?? postIdFromUrl(readText(item["postUrl"]));
  if (id === undefined) return collect.refuse("comment_without_id");
  if (postId === undefined) return collect.refuse("comment_without_post");
  const author = readAuthor(item);
  collect.comment({
    id,
    postId,
    parentId,
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: readCommentText(item["text"]),
    publishedAt: readTimestamp(item["timestamp"]),
    counters: omitUnknown({ likes: readCount(item["likesCount"]), replies: readCount(item["repliesCount"]) }),
    native: omitUnknown<NativeComment>({
      user: omitUnknown({ pk: author?.id, username: author?.name, profile_pic_url: author?.native?.profile_pic_url }),
    }),
  });
  for (const reply of readObjects(item["replies"])) collectApifyComment(reply, postId, collect, id);
}

function readAuthor(item: Fields): CapturedUser | undefined {
  const named = readUser({ username: item["ownerUsername"], profile_pic_url: item["ownerProfilePicUrl"] });
  const owner = readUser(item["owner"]);
  return named !== undefined && owner !== undefined ? mergeUsers(named, owner) : (owner ?? named);
}
