/** A comment as Apify's actors write it: on its own with the address of its post, or within the post. */
import type { Collector } from "#contract/importer.ts";
import type { NativeComment } from "../native.ts";
import { accountNameOf, type CapturedUser, collectUser, overlaidUser, readUser } from "../recognise/captured-user.ts";
import {
  countOf,
  idOf,
  type JsonObject,
  known,
  objectsIn,
  secondsOfDate,
  textOf,
  webAddressOf,
} from "../recognise/field-readers.ts";
import { postIdOfAddress } from "../recognise/surroundings.ts";

export function collectApifyComment(
  item: JsonObject,
  ofPost: string | undefined,
  collect: Collector,
  parentId?: string,
): void {
  const id = idOf(item["id"]);
  const postId = ofPost ?? idOf(item["postId"]) ?? postIdOfAddress(textOf(item["postUrl"]));
  if (id === undefined || postId === undefined) {
    collect.refuse(id === undefined ? "comment has no id" : "comment does not say which post it belongs to");
    return;
  }
  const author = authorOf(item);
  const replies = objectsIn(item["replies"]);
  collect.comment({
    id,
    postId,
    parentId,
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: textOf(item["text"]),
    publishedAt: secondsOfDate(item["timestamp"]),
    counters: known({ likes: countOf(item["likesCount"]), replies: countOf(item["repliesCount"]) }) ?? {},
    native:
      known<NativeComment>({
        user: known({ pk: author?.id, username: author?.name, profile_pic_url: author?.native.profile_pic_url }),
      }) ?? {},
  });
  for (const reply of replies) collectApifyComment(reply, postId, collect, id);
}

function authorOf(item: JsonObject): CapturedUser | undefined {
  const name = accountNameOf(item["ownerUsername"]);
  const picture = webAddressOf(item["ownerProfilePicUrl"]);
  const named: CapturedUser | undefined =
    name === undefined ? undefined : { name, counters: {}, native: known({ profile_pic_url: picture }) ?? {} };
  const owner = readUser(item["owner"]);
  return named !== undefined && owner !== undefined ? overlaidUser(named, owner) : (owner ?? named);
}
