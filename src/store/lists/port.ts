/** Lists of posts: which a post is in, derived from its header alone, and reading them newest first, then by id. */
import { foldName } from "#domain/folding.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { Natives } from "#store/records/port.ts";
import { batchesOf, type MaybePromise, type SqlSteps, type Steps } from "#store/sql/sql.ts";

/** The key is an account id, a sound id, a hashtag name or a place id. */
export type PostList = "author" | "sound" | "hashtag" | "tagged" | "place";

export interface ListReader<N extends Natives = Natives> {
  listPosts(list: PostList, key: string, page: PageRequest): Promise<Page<Post<N["post"]>>>;
  listRenderedPosts<Body>(
    list: PostList,
    key: string,
    page: PageRequest,
    projection: Projection<Post<N["post"]>, Body>,
  ): Promise<Page<Rendered<Body>>>;
  /** The posts of a list published in one second, by id; integer cursors are resolved against them. */
  listPostKeysets(list: PostList, key: string, at: number): Promise<Keyset[]>;
  /** The posts with the most engagement among the list's newest thousand. */
  listTopPosts(list: PostList, key: string, limit: number): Promise<Post<N["post"]>[]>;
  countPosts(list: PostList, key: string): Promise<number>;
}

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

/** A post that a batch changed. */
export interface MovedPost {
  platform: PlatformName;
  /** The stored post; null for a new one. */
  before: Header<"post"> | null;
  now: { id: string; at: number; lists: readonly [list: PostList, key: string][] };
}

/** Whether its entries in lists change. */
export function isMoved({ before, now }: MovedPost): boolean {
  if (before === null) return true;
  const lists = listsOf(before).map(({ list, key }) => [list, key]);
  return (before.publishedAt ?? 0) !== now.at || JSON.stringify(lists) !== JSON.stringify(now.lists);
}

/** Lists, as the write sides of other concerns maintain them. */
export interface ListWriter {
  /** `number` is that of the record's row. */
  write(post: MovedPost, number: number): void;
}

/** Hashtags are listed by their folded name. */
export function listKey(list: PostList, key: string): string {
  return list === "hashtag" ? foldName(key) : key;
}

/** The table of list entries, within a transaction. */
export interface ListTable {
  /** The columns beside the key of the list: those of the primary key, and others. */
  columns: { key: string; rest: readonly string[] };
  remove: (platform: PlatformName, posts: readonly { id: string; post: Header<"post"> }[]) => MaybePromise<void>;
}

/** The posts in any of these lists. */
export function* listPostIds(
  sql: SqlSteps,
  platform: PlatformName,
  lists: readonly PostList[],
  keys: readonly string[],
): Steps<string[]> {
  const ids = new Set<string>();
  for (const batch of batchesOf(keys)) {
    const rows = yield* sql.all<{ post_id: string }>(
      "SELECT DISTINCT post_id FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = ANY($3)",
      batch,
      platform,
      lists,
    );
    for (const { post_id } of rows) ids.add(post_id);
  }
  return [...ids];
}
