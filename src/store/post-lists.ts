/** The lists a post is in, derived from its header alone. */
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PostList } from "./reader.ts";

export interface ListEntry {
  list: PostList;
  key: string;
  /** Unix seconds; 0 when unknown. */
  at: number;
}

type ListFields = Pick<
  Post,
  "authorId" | "coauthorIds" | "soundId" | "placeId" | "hashtags" | "taggedIds" | "publishedAt"
>;

/** Everyone who published it. A post is erased with any of them. */
export function authorsOf({ authorId, coauthorIds = [] }: Pick<Post, "authorId" | "coauthorIds">): string[] {
  return [...new Set(authorId === null ? coauthorIds : [authorId, ...coauthorIds])];
}

export function listsOf(post: ListFields): ListEntry[] {
  const at = post.publishedAt ?? 0;
  const lists: ListEntry[] = [];
  for (const key of authorsOf(post)) lists.push({ list: "author", key, at });
  if (post.soundId !== null) lists.push({ list: "sound", key: post.soundId, at });
  if (post.placeId !== null) lists.push({ list: "place", key: post.placeId, at });
  for (const key of new Set(post.hashtags.map(foldName))) lists.push({ list: "hashtag", key, at });
  for (const key of new Set(post.taggedIds)) lists.push({ list: "tagged", key, at });
  return lists;
}

/** Hashtags are listed by their folded name. */
export function listKey(list: PostList, key: string): string {
  return list === "hashtag" ? foldName(key) : key;
}
