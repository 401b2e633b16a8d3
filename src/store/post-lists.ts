/** Every list that a post stands in, derived from its header alone: all stores keep the same lists. */
import type { Post } from "#domain/post.ts";
import { foldName } from "#domain/folding.ts";
import type { PostList } from "./store.ts";

export interface ListEntry {
  list: PostList;
  key: string;
  /** Unix seconds; 0 when the time is not known. */
  at: number;
}

type Listed = Pick<Post, "authorId" | "soundId" | "placeId" | "hashtags" | "taggedIds" | "publishedAt">;

export function listsOf(post: Listed): ListEntry[] {
  const at = post.publishedAt ?? 0;
  const lists: ListEntry[] = [];
  if (post.authorId !== null) lists.push({ list: "author", key: post.authorId, at });
  if (post.soundId !== null) lists.push({ list: "sound", key: post.soundId, at });
  if (post.placeId !== null) lists.push({ list: "place", key: post.placeId, at });
  for (const key of new Set(post.hashtags.map(foldName))) lists.push({ list: "hashtag", key, at });
  for (const key of new Set(post.taggedIds)) lists.push({ list: "tagged", key, at });
  return lists;
}
