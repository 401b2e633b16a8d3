/** Lists of posts. Every page is a range of the primary key, so any page costs as much as the first. */
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { cutPage, keysetOf, START } from "../pages.ts";
import { listKey } from "../post-lists.ts";
import type { PostList } from "../reader.ts";
import { TOP_CANDIDATES, topPostIds } from "../top-posts.ts";
import type { RecordReads } from "./record-reads.ts";
import type { Sql } from "./sql.ts";
import type { PostListRow, SearchDocRow } from "./tables.ts";

const IN_LIST = "key = $1 AND platform = $2 AND list = $3";

export class PostListReads<Native extends object> {
  readonly #db: Sql;
  readonly #platform: PlatformName;
  readonly #records: RecordReads;

  constructor(db: Sql, platform: PlatformName, records: RecordReads) {
    this.#db = db;
    this.#platform = platform;
    this.#records = records;
  }

  #listParameters(list: PostList, key: string): [key: string, platform: PlatformName, list: PostList] {
    return [listKey(list, key), this.#platform, list];
  }

  async page(list: PostList, key: string, { limit, after = START }: PageRequest): Promise<Page<Post<Native>>> {
    const found = await this.#db.all<Keyset>(
      `SELECT post_id AS id, -sort_key AS at FROM post_lists
       WHERE ${IN_LIST} AND (sort_key, post_id) > ($4, $5) ORDER BY sort_key, post_id LIMIT $6`,
      ...this.#listParameters(list, key),
      -after.at,
      after.id,
      limit + 1,
    );
    const { rows, rest } = cutPage(found, limit, keysetOf);
    const ids = rows.map(({ id }) => id);
    return { items: await this.#records.list<Post<Native>>("post", ids), ...rest };
  }

  async keysets(list: PostList, key: string, at: number): Promise<Keyset[]> {
    const rows = await this.#db.all<Pick<PostListRow, "post_id">>(
      `SELECT post_id FROM post_lists WHERE ${IN_LIST} AND sort_key = $4 ORDER BY post_id`,
      ...this.#listParameters(list, key),
      -at,
    );
    return rows.map(({ post_id }) => ({ at, id: post_id }));
  }

  /** Engagement is stored with the search documents, so only the posts returned are read. */
  async top(list: PostList, key: string, limit: number): Promise<Post<Native>[]> {
    const newest = await this.#db.all<Pick<PostListRow, "post_id">>(
      `SELECT post_id FROM post_lists WHERE ${IN_LIST} ORDER BY sort_key, post_id LIMIT $4`,
      ...this.#listParameters(list, key),
      TOP_CANDIDATES,
    );
    const candidates = await this.#db.all<Pick<SearchDocRow, "id" | "engagement">>(
      "SELECT id, engagement FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
      newest.map(({ post_id }) => post_id),
      this.#platform,
    );
    return this.#records.list<Post<Native>>("post", topPostIds(candidates, limit));
  }

  async count(list: PostList, key: string): Promise<number> {
    const row = await this.#db.get<{ n: number }>(
      `SELECT count(*) AS n FROM post_lists WHERE ${IN_LIST}`,
      ...this.#listParameters(list, key),
    );
    return row?.n ?? 0;
  }
}
