/** Followers and followed accounts come in the same form; where nothing else tells them apart, the file's name does. */
import type { SourceFile } from "#api/importer.ts";
import { baseName } from "./document-records.ts";

export type FollowDirection = "followers" | "followed";

/** Those who no longer follow, or never did. */
const NOT_FOLLOWING = /unfollow|(?<![a-z])(?:un|non|not|lost|former|ex)[-_ ]?follow/;

export function followDirectionInName(file: SourceFile): FollowDirection | undefined {
  const name = baseName(file).toLowerCase();
  if (NOT_FOLLOWING.test(name)) return undefined;
  const isFollowing = name.includes("following");
  if (isFollowing === name.includes("follower")) return undefined;
  return isFollowing ? "followed" : "followers";
}
