/** Lists of posts, newest first, then by id. */
import type { Keyset } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives } from "../natives.ts";
import { cutPage, keysetOf, START } from "../pages.ts";
import { listKey } from "../post-lists.ts";
import type { PostReader } from "../reader.ts";
import { TOP_CANDIDATES, topPostIds } from "../top-posts.ts";
import type { PostListDialect } from "./dialect.ts";
import type { RecordsById } from "./record-loader.ts";
import type { Sql } from "./sql.ts";

const IN_LIST = "post_lists WHERE key = $1 AND platform = $2 AND list = $3";

export function createPostLists<N extends Natives>(
  sql: Sql,
  platform: PlatformName,
  { at, isAt, isAfter, order, listNewest }: PostListDialect,
  records: RecordsById,
): Pick<PostReader<N>, "listPosts" | "listPostKeysets" | "listTopPosts" | "countPosts"> {
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
      const row = await sql.get<{ n: number }>(
        `SELECT count(*) AS n FROM ${IN_LIST}`,
        listKey(list, key),
        platform,
        list,
      );
      return row?.n ?? 0;
    },
  };
}
