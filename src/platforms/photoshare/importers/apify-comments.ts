/** A comment as Apify's actors write it: on its own with the address of its post, or within the post. */
import type { Collector } from "#api/importer.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readId,
  readObjects,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeComment } from "../native.ts";
import { accountNameOf, type CapturedUser, collectUser, overlaidUser, readUser } from "../recognise/captured-user.ts";
import { postIdOfAddress } from "../recognise/enclosing-context.ts";

export function collectApifyComment(
  item: Fields,
  ofPost: string | undefined,
  collect: Collector,
  parentId?: string,
): void {
  const id = readId(item["id"]);
  const postId = ofPost ?? readId(item["postId"]) ?? postIdOfAddress(readText(item["postUrl"]));
  if (id === undefined || postId === undefined) {
    collect.refuse(id === undefined ? "comment_without_id" : "comment_without_post");
    return;
  }
  const author = authorOf(item);
  const replies = readObjects(item["replies"]);
  collect.comment({
    id,
    postId,
    parentId,
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: readText(item["text"]),
    publishedAt: readTimestamp(item["timestamp"]),
    counters: omitUnknown({ likes: readCount(item["likesCount"]), replies: readCount(item["repliesCount"]) }) ?? {},
    native:
      omitUnknown<NativeComment>({
        user: omitUnknown({ pk: author?.id, username: author?.name, profile_pic_url: author?.native.profile_pic_url }),
      }) ?? {},
  });
  for (const reply of replies) collectApifyComment(reply, postId, collect, id);
}

function authorOf(item: Fields): CapturedUser | undefined {
  const name = accountNameOf(item["ownerUsername"]);
  const picture = readUrl(item["ownerProfilePicUrl"]);
  const named: CapturedUser | undefined =
    name === undefined ? undefined : { name, counters: {}, native: omitUnknown({ profile_pic_url: picture }) ?? {} };
  const owner = readUser(item["owner"]);
  return named !== undefined && owner !== undefined ? overlaidUser(named, owner) : (owner ?? named);
}
