/**
 * Lists that belong to an account: its posts, the posts it is tagged in, its followers and whom it follows. The account
 * is the object around the list where that says who it is, else what the surroundings say; else the list is refused,
 * though the people and posts in it are kept.
 */
import type { AccountRef, Collector } from "#contract/importer.ts";
import { collectUser, type CapturedUser, readUser } from "./captured-user.ts";
import { countOf, type JsonObject, known, listOf, nodesOf, objectOf, objectsIn } from "./field-readers.ts";
import { HOW_TO_SAY_WHOSE, listOwner, pointsToFollowed, type Surroundings } from "./surroundings.ts";

export const OWNERLESS_FOLLOWERS = `list of followers does not say whose it is; ${HOW_TO_SAY_WHOSE}`;
export const OWNERLESS_TAGGED = `list of tagged posts does not say who is tagged; ${HOW_TO_SAY_WHOSE}`;

/** Connections of a profile whose nodes are posts of its own. */
const TIMELINES = [
  "edge_owner_to_timeline_media",
  "edge_felix_video_timeline",
  "edge_felix_combined_post_uploads",
  "polaris_ordered_timeline_connection",
];
const OWNED = [...TIMELINES, "edge_user_to_photos_of_you", "edge_followed_by", "edge_follow"];

export function holdsOwnedList(object: JsonObject): boolean {
  return OWNED.some((name) => listOf(objectOf(object[name])?.["edges"]) !== undefined);
}

export type WalkWithin = (part: unknown, around: Surroundings) => void;

export function collectOwnedLists(
  holder: JsonObject,
  user: CapturedUser | undefined,
  around: Surroundings,
  collect: Collector,
  walk: WalkWithin,
): void {
  for (const name of TIMELINES) walk(nodesOf(holder[name]), { ...around, author: user ?? around.author });

  const owner: AccountRef | undefined = user === undefined ? listOwner(around) : refOf(user);
  const taggedIn = nodesOf(holder["edge_user_to_photos_of_you"]);
  if (taggedIn !== undefined && taggedIn.length > 0) {
    if (owner === undefined) collect.refuse(OWNERLESS_TAGGED);
    walk(taggedIn, { ...around, taggedId: owner === undefined ? undefined : collect.account(owner) });
  }
  const followers = objectOf(holder["edge_followed_by"]);
  collectFollows(nodesOf(followers) ?? [], owner, "followers", collect);
  if (user === undefined && owner !== undefined) {
    const counters = known({ followers: countOf(followers?.["count"]) });
    if (counters !== undefined) collect.account({ ...owner, counters });
  }
  collectFollows(nodesOf(holder["edge_follow"]) ?? [], owner, "followed", collect);
}

/** The answer of `/friendships/<id>/followers/`: users side by side and nothing about whose they are. */
export function isBareUserList(object: JsonObject): boolean {
  return "big_list" in object && listOf(object["users"]) !== undefined;
}

export function collectBareUserList(object: JsonObject, around: Surroundings, collect: Collector): void {
  const direction = pointsToFollowed(around) ? "followed" : "followers";
  collectFollows(objectsIn(object["users"]), listOwner(around), direction, collect);
}

function collectFollows(
  members: readonly JsonObject[],
  owner: AccountRef | undefined,
  direction: "followers" | "followed",
  collect: Collector,
): void {
  if (members.length > 0 && owner === undefined) collect.refuse(OWNERLESS_FOLLOWERS);
  for (const member of members) {
    const user = readUser(member);
    if (user === undefined) {
      collect.refuse("follower has neither id nor name");
      continue;
    }
    const id = collectUser(user, collect);
    if (owner === undefined) continue;
    collect.follow(
      direction === "followers" ? { account: owner, follower: { id } } : { account: { id }, follower: owner },
    );
  }
}

function refOf(user: CapturedUser): AccountRef | undefined {
  if (user.id !== undefined) return { id: user.id };
  return user.name === undefined ? undefined : { name: user.name };
}
