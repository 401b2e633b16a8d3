/** Followers and followed accounts come in the same form; where nothing else tells them apart, the file's name does. */
import type { AccountRef, ObservedFollow, SourceFile } from "#api/importer.ts";
import { baseName } from "./document-records.ts";

export type FollowDirection = "followers" | "followed";

/** The follow between the owner of a list and one of its members. */
export function toFollow(owner: AccountRef, member: AccountRef, direction: FollowDirection): ObservedFollow {
  return direction === "followers" ? { account: owner, follower: member } : { account: member, follower: owner };
}

/** Those who no longer follow, or never did. */
const NOT_FOLLOWING = /unfollow|(?<![a-z])(?:un|non|not|lost|former|ex)[-_ ]?follow/;

export function followDirectionInName(file: SourceFile): FollowDirection | undefined {
  const name = baseName(file).toLowerCase();
  if (NOT_FOLLOWING.test(name)) return undefined;
  const isFollowing = name.includes("following");
  if (isFollowing === name.includes("follower")) return undefined;
  return isFollowing ? "followed" : "followers";
}
