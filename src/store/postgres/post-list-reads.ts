/** The lists that posts stand in. Every page is a range of the table's key, so any page costs what the first does. */
import { foldName } from "#domain/folding.ts";
import type { Page, PageRequest, Keyset } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { PostList } from "../store.ts";
import type { Sql } from "./sql.ts";
import { cut, START } from "./pages.ts";
import type { RecordReads } from "./record-reads.ts";

/** How many of a list's newest posts compete for its top places. */
const TOP_CANDIDATES = 1_000;

const OF_LIST = "key = $1 AND platform = $2 AND list = $3";

export class PostListReads<Native extends object> {
  readonly #db: Sql;
  readonly #platform: PlatformName;
  readonly #records: RecordReads;

  constructor(db: Sql, platform: PlatformName, records: RecordReads) {
    this.#db = db;
    this.#platform = platform;
    this.#records = records;
  }

  #of(list: PostList, key: string): [key: string, platform: PlatformName, list: PostList] {
    return [list === "hashtag" ? foldName(key) : key, this.#platform, list];
  }

  async page(list: PostList, key: string, { limit, after = START }: PageRequest): Promise<Page<Post<Native>>> {
    const found = await this.#db.all<{ id: string; at: number }>(
      `SELECT post_id AS id, -sort_key AS at FROM post_lists
       WHERE ${OF_LIST} AND (sort_key, post_id) > ($4, $5) ORDER BY sort_key, post_id LIMIT $6`,
      ...this.#of(list, key),
      -after.at,
      after.id,
      limit + 1,
    );
    const { rows, rest } = cut(found, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await this.#records.list<Post<Native>>("post", ids), ...rest };
  }

  async positions(list: PostList, key: string, at: number): Promise<Keyset[]> {
    const rows = await this.#db.all<{ id: string }>(
      `SELECT post_id AS id FROM post_lists WHERE ${OF_LIST} AND sort_key = $4 ORDER BY post_id`,
      ...this.#of(list, key),
      -at,
    );
    return rows.map(({ id }) => ({ at, id }));
  }

  /** Attention is kept beside the search documents: no post is read but those that are given. */
  async top(list: PostList, key: string, limit: number): Promise<Post<Native>[]> {
    const listed = await this.#db.all<{ id: string }>(
      `SELECT post_id AS id FROM post_lists WHERE ${OF_LIST} ORDER BY sort_key, post_id LIMIT $4`,
      ...this.#of(list, key),
      TOP_CANDIDATES,
    );
    const rows = await this.#db.all<{ id: string; engagement: number }>(
      "SELECT id, engagement FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
      listed.map(({ id }) => id),
      this.#platform,
    );
    const best = rows.toSorted((a, b) => b.engagement - a.engagement || (a.id < b.id ? -1 : 1)).slice(0, limit);
    return this.#records.list<Post<Native>>(
      "post",
      best.map(({ id }) => id),
    );
  }

  async count(list: PostList, key: string): Promise<number> {
    const row = await this.#db.get<{ n: number }>(
      `SELECT count(*) AS n FROM post_lists WHERE ${OF_LIST}`,
      ...this.#of(list, key),
    );
    return row?.n ?? 0;
  }
}
