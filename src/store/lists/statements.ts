/** Lists of posts, newest first, then by id. */
import type { Keyset } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives, RecordsById } from "#store/records/port.ts";
import { cutPage, keysetOf, START } from "#store/sql/pages.ts";
import { type ListReader, listKey, type PostList } from "./port.ts";
import { TOP_CANDIDATES, topPostIds } from "./top-posts.ts";
import { countRows, type MaybePromise, type Sql } from "#store/sql/sql.ts";

/** How `post_lists` has the time of publication. `$4` is such a time, `$5` a post's id. */
export interface ListDialect {
  at: string;
  /** Whether a row was published at `$4`. */
  isAt: string;
  /** Whether a row comes after the one with `$4` and `$5`. */
  isAfter: string;
  /** Newest first, then by id. */
  order: string;
  /** The newest posts. Search documents have the engagement, so only the posts that are returned have to be read. */
  listNewest: (
    key: string,
    platform: PlatformName,
    list: PostList,
    limit: number,
  ) => MaybePromise<{ id: string; engagement: number }[]>;
}

const IN_LIST = "post_lists WHERE key = $1 AND platform = $2 AND list = $3";

export function createListReads<N extends Natives>(
  sql: Sql,
  platform: PlatformName,
  { at, isAt, isAfter, order, listNewest }: ListDialect,
  records: RecordsById,
): Omit<ListReader<N>, "listRenderedPosts"> {
  return {
    async listPosts(list, key, { limit, after = START }) {
      const found = await sql.all<Keyset>(
        `SELECT post_id AS id, ${at} AS at FROM ${IN_LIST} AND ${isAfter} ORDER BY ${order} LIMIT $6`,
        listKey(list, key),
        platform,
        list,
        after.at,
        after.id,
        limit + 1,
      );
      const { rows, rest } = cutPage(found, limit, keysetOf);
      const ids = rows.map(({ id }) => id);
      return { items: await records.list<Post<N["post"]>>("post", ids), ...rest };
    },
    async listPostKeysets(list, key, publishedAt) {
      const rows = await sql.all<Keyset>(
        `SELECT ${at} AS at, post_id AS id FROM ${IN_LIST} AND ${isAt} ORDER BY post_id`,
        listKey(list, key),
        platform,
        list,
        publishedAt,
      );
      return rows.map(keysetOf);
    },
    async listTopPosts(list, key, limit) {
      const candidates = await listNewest(listKey(list, key), platform, list, TOP_CANDIDATES);
      return records.list<Post<N["post"]>>("post", topPostIds(candidates, limit));
    },
    async countPosts(list, key) {
      return countRows(sql, IN_LIST, listKey(list, key), platform, list);
    },
  };
}
