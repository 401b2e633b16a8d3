/** Who follows whom, in lists of followers and followed accounts. They do not say whose they are. */
import type { AccountRef, Collector, DocumentContext } from "#api/importer.ts";
import { type Fields, readObject, readObjects } from "#import/capture/field-readers.ts";
import { type FollowDirection, followDirectionInName, toFollow } from "#import/capture/follow-direction.ts";
import { isOfDouyin } from "./douyin.ts";
import { findListOwner } from "./list-owner.ts";
import { readSubjectName } from "./subject.ts";
import { isUser, readUserId, readUserName } from "./user.ts";

interface FollowList {
  members: Fields[];
  direction: FollowDirection | undefined;
}

/** The accounts themselves are collected where they are found. */
export function collectFollows(object: Fields, collect: Collector, context: DocumentContext): void {
  const subject = readSubjectName(context.file);
  for (const { members, direction } of findLists(object, context)) {
    const users = members.filter((user) => isUser(user) && !isOfDouyin(user, context));
    // A list of neither may be of suggested accounts.
    if (users.length === 0 || (subject === undefined && direction === undefined)) continue;
    if (direction === undefined) {
      collect.refuse("followers_or_following");
      continue;
    }
    const owner = findListOwner(context);
    if (owner !== undefined) for (const user of users) collectFollow(user, direction, owner, collect);
    else if (subject === undefined) collect.refuse("followers_without_owner");
    else collect.refuse("followers_without_owner: of another account than --of names");
  }
}

/** The mobile API names its lists; the web has one name for all. */
function findLists(object: Fields, context: DocumentContext): FollowList[] {
  const members = readObjects(object["userList"]).map((member) => readObject(member["user"]) ?? member);
  const list = members.length === 0 ? undefined : toWebList(members, context);
  return [
    { members: readObjects(object["followers"]), direction: "followers" },
    { members: readObjects(object["followings"]), direction: "followed" },
    ...(list === undefined ? [] : [list]),
  ];
}

/** In the web's URLs. Friends and suggested accounts have other numbers. */
const SCENES: ReadonlyMap<string, FollowDirection> = new Map([
  ["67", "followers"],
  ["21", "followed"],
]);

function toWebList(members: Fields[], { url, file }: DocumentContext): FollowList | undefined {
  const scene = URL.parse(url ?? "")?.searchParams.get("scene") ?? undefined;
  if (scene === undefined) return { members, direction: followDirectionInName(file) };
  const direction = SCENES.get(scene);
  return direction === undefined ? undefined : { members, direction };
}

function collectFollow(user: Fields, direction: FollowDirection, owner: AccountRef, collect: Collector): void {
  const [id, name] = [readUserId(user), readUserName(user)];
  const member = id === undefined ? (name === undefined ? undefined : { name }) : { id };
  if (member !== undefined) collect.follow(toFollow(owner, member, direction));
}
