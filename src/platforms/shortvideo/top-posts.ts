/** The posts behind the entries of a ranking. */
import type { Context } from "#api/endpoint.ts";
import type { Post } from "#domain/post.ts";
import type { Trend } from "#store/trends/port.ts";
import type { NativePost, ShortVideoNatives } from "./native.ts";

/** In the order of the entries, each best first. Read together: one statement instead of one per entry. */
export async function getTopPosts(
  { store }: Context<ShortVideoNatives>,
  trends: readonly Trend<unknown>[],
): Promise<Post<NativePost>[][]> {
  const ids = new Set(trends.flatMap(({ topPostIds }) => topPostIds));
  const posts = new Map((await store.getPosts([...ids])).map((post) => [post.id, post]));
  return trends.map(({ topPostIds }) => topPostIds.flatMap((id) => posts.get(id) ?? []));
}
