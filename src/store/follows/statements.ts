import type { Page, PageRequest } from "#domain/page.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import { keysetOf, START, toPage } from "#store/sql/pages.ts";
import { countRows, type Sql } from "#store/sql/sql.ts";
import { selectAs } from "#store/sql/select.ts";
import { FOLLOWS } from "./tables.ts";
import type { FollowReader } from "./port.ts";

const FOLLOW = {
  accountId: "account_id",
  followerId: "follower_id",
  since: "since",
  capturedAt: "captured_at",
  source: "source",
} as const;

export function createFollowReads(sql: Sql, platform: PlatformName): Omit<FollowReader, "listRenderedFollowers"> {
  /** The other account is in the other column. */
  async function listFollows(
    column: "account_id" | "follower_id",
    id: string,
    { limit, after = START }: PageRequest,
  ): Promise<Page<Follow>> {
    const other = column === "account_id" ? "follower_id" : "account_id";
    const rows = await sql.all(
      selectAs(
        FOLLOWS,
        { ...FOLLOW, at: "at", id: other },
        `WHERE ${column} = $1 AND platform = $2 AND at <= $3 AND (at < $3 OR ${other} > $4)
         ORDER BY at DESC, ${other} LIMIT $5`,
      ),
      id,
      platform,
      after.at,
      after.id,
      limit + 1,
    );
    return toPage(rows, limit, keysetOf, ({ at: _at, id: _id, ...follow }) => follow);
  }

  return {
    listFollowers: (accountId, page) => listFollows("account_id", accountId, page),
    listFollowing: (followerId, page) => listFollows("follower_id", followerId, page),
    countFollowing: (followerId) =>
      countRows(sql, "follows WHERE follower_id = $1 AND platform = $2", followerId, platform),
    countFollowers: (accountId) =>
      countRows(sql, "follows WHERE account_id = $1 AND platform = $2", accountId, platform),
  };
}
