/**
 * Lists that belong to an account: its posts, the posts it is tagged in, its followers and the accounts it follows. The
 * owner is the enclosing object, else the document's context; without one the list is refused, though its accounts and
 * posts are still collected.
 */
import type { AccountRef, Collector } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  readCount,
  readList,
  readObject,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { type FollowDirection, toFollow } from "#import/capture/follow-direction.ts";
import { readNodes } from "./connection-nodes.ts";
import { collectUser, type CapturedUser, isUser, readUser } from "./captured-user.ts";
import { findFollowDirection, findListOwner, isFollowsFile, type EnclosingContext } from "./enclosing-context.ts";
import { isGraphPost } from "./graph-post.ts";
import { isItem } from "./item-post.ts";
import { toPlainName } from "./plain-names.ts";
import { isThreadsUser } from "./threads.ts";

/** Connections that hold a profile's own posts. */
const TIMELINES = [
  "edge_owner_to_timeline_media",
  "edge_felix_video_timeline",
  "edge_felix_combined_post_uploads",
  "polaris_ordered_timeline_connection",
  "polaris_timeline_connection",
  // Until 2018.
  "media",
];
const OWNED = [...TIMELINES, "edge_user_to_photos_of_you", "edge_followed_by", "edge_follow"];

export function hasOwnedList(object: Fields): boolean {
  return OWNED.some((name) => readList(readObject(object[name])?.["edges"]) !== undefined);
}

/** Returns whether anything was recognised. */
type WalkWithin = (part: unknown, enclosing: EnclosingContext) => boolean;

/** Read elsewhere, stories, or about the person who captured the profile. */
const OTHER_LISTS = new Set([
  "edge_related_profiles",
  "edge_mutual_followed_by",
  "edge_saved_media",
  "edge_media_collections",
  "lox_highlights_connection",
]);

export function collectOwnedLists(
  holder: Fields,
  user: CapturedUser | undefined,
  enclosing: EnclosingContext,
  collect: Collector,
  walk: WalkWithin,
): void {
  for (const name of TIMELINES) walk(readNodes(holder[name]), { ...enclosing, author: user ?? enclosing.author });

  const owner: AccountRef | undefined = user === undefined ? findListOwner(enclosing) : toAccountRef(user);
  const taggedIn = readNodes(holder["edge_user_to_photos_of_you"]);
  if (taggedIn !== undefined && taggedIn.length > 0) {
    if (owner === undefined) collect.refuse("tagged_posts_without_owner");
    walk(taggedIn, { ...enclosing, taggedId: owner === undefined ? undefined : collect.account(owner) });
  }
  const followers = readObject(holder["edge_followed_by"]);
  collectFollows(readNodes(followers) ?? [], owner, "followers", collect);
  if (user === undefined) collectFollowerCount(owner, readCount(followers?.["count"]), collect);
  collectFollows(readNodes(holder["edge_follow"]) ?? [], owner, "followed", collect);
  for (const name of Object.keys(holder)) {
    const nodes = OWNED.includes(name) || OTHER_LISTS.has(name) ? undefined : readNodes(holder[name]);
    if (nodes === undefined || nodes.length === 0) continue;
    // A list of another time or page: its posts are the account's, if they are posts.
    if (!walk(nodes, { ...enclosing, author: user ?? enclosing.author })) collect.refuse("unknown_record");
  }
}

/** GraphQL names lists after paths of the API. */
const LIST_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    xdt_api__v1__usertags__user_id__feed_connection: "edge_user_to_photos_of_you",
    tagged_posts: "edge_user_to_photos_of_you",
    xdt_api__v1__friendships__followers__connection: "edge_followed_by",
    xdt_api__v1__friendships__followers: "edge_followed_by",
    xdt_api__v1__friendships__following__connection: "edge_follow",
    xdt_api__v1__friendships__following: "edge_follow",
    // Of tools.
    followers: "edge_followed_by",
    following: "edge_follow",
  }),
);

/** Other services use these names, too. */
const COMMON_NAMES: Readonly<Record<string, (member: Fields) => boolean>> = {
  tagged_posts: (member) => isItem(member) || isGraphPost(member),
  followers: isInstagramUser,
  following: isInstagramUser,
};

function isInstagramUser(member: Fields): boolean {
  return isUser(member) && ("pk" in member || "profile_pic_url" in member);
}

/** A list under one of those names as the connection that it is, and what is beside it. Undefined without one. */
export function takeNamedList(object: Fields): { list: Fields; rest: Fields } | undefined {
  for (const key of Object.keys(object)) {
    const name = toPlainName(key);
    const edge = LIST_NAMES.get(name);
    if (edge === undefined) continue;
    const { [key]: list, ...rest } = object;
    const members = readNodes(list) ?? readObjects(readObjectAt(list)["users"] ?? list);
    const edges = members.map((member) => ({ node: readObject(member["node"]) ?? member }));
    const isOfInstagram = COMMON_NAMES[name];
    if (isOfInstagram !== undefined && !edges.some(({ node }) => isOfInstagram(node))) continue;
    if (edges.length > 0) return { list: { [edge]: { edges } }, rest };
  }
  return undefined;
}

/** The response of `/friendships/<id>/followers/` or `/following/`: a list of users without their owner. */
export function isBareUserList(object: Fields): boolean {
  const isResponse = "big_list" in object || ("count" in object && "pagination_token" in object);
  return isResponse && readList(object["users"]) !== undefined;
}

/** The same list as tools save it, without the rest of the response: the file's name says what it is. */
export function isNamedUserList(object: Fields, enclosing: EnclosingContext): boolean {
  const users = listUsers(object);
  return users.length > 0 && isFollowsFile(enclosing) && users.every((user) => isFields(user) && isUser(user));
}

/** Instagram's name for the list, and those of other services. */
export const USER_LISTS: readonly string[] = ["users", "items", "data"];

export function listUsers(object: Fields): readonly unknown[] {
  return USER_LISTS.map((name) => readList(object[name])).find((list) => list !== undefined) ?? [];
}

/** `user` is whose list it is, where the response says so. */
export function collectBareUserList(
  object: Fields,
  user: CapturedUser | undefined,
  enclosing: EnclosingContext,
  collect: Collector,
): void {
  const owner = user === undefined ? findListOwner(enclosing) : toAccountRef(user);
  const direction = findFollowDirection(enclosing);
  const users = readObjects(listUsers(object));
  collectFollows(users, owner, direction, collect);
  const count = readCount(object["count"]) ?? 0;
  // Some services count the users of the page.
  const isOfAll = "pagination_token" in object && count > users.length;
  if (isOfAll && direction === "followers") collectFollowerCount(owner, count, collect);
}

function collectFollowerCount(owner: AccountRef | undefined, followers: number | undefined, collect: Collector): void {
  if (owner !== undefined && followers !== undefined) collect.account({ ...owner, counters: { followers } });
}

function collectFollows(
  members: readonly Fields[],
  owner: AccountRef | undefined,
  direction: FollowDirection | undefined,
  collect: Collector,
): void {
  if (members.length > 0 && owner === undefined) collect.refuse("followers_without_owner");
  else if (members.length > 0 && direction === undefined) collect.refuse("followers_or_following");
  for (const member of members) {
    if (isThreadsUser(member)) {
      collect.skip("a Threads profile");
      continue;
    }
    const user = readUser(member);
    if (user === undefined) {
      collect.refuse("account_without_id");
      continue;
    }
    const id = collectUser(user, collect);
    if (owner === undefined || direction === undefined || isSame(user, owner)) continue;
    collect.follow(toFollow(owner, { id }, direction));
  }
}

/** Files that are named after their owner may contain the owner's profile, too. */
function isSame(user: CapturedUser, owner: AccountRef): boolean {
  return "id" in owner ? user.id === owner.id : user.name?.toLowerCase() === owner.name.toLowerCase();
}

function toAccountRef(user: CapturedUser): AccountRef | undefined {
  if (user.id !== undefined) return { id: user.id };
  return user.name === undefined ? undefined : { name: user.name };
}
