import { bigint, defineTable, nullable, type RowOf, rowVersion, text } from "#store/sql/table.ts";

export const FOLLOWS = defineTable("follows", {
  columns: {
    platform: text,
    account_id: text,
    follower_id: text,
    at: bigint,
    since: nullable(bigint),
    captured_at: bigint,
    source: text,
  },
  key: ["platform", "account_id", "follower_id"],
  distributedBy: "account_id",
  indexes: {
    newest: {
      sqlite: "(platform, account_id, at DESC, follower_id)",
      postgres: "(account_id, platform, at DESC, follower_id)",
    },
    // Whom somebody follows, newest first.
    by_follower: {
      sqlite: "(platform, follower_id, at DESC, account_id)",
      postgres: "(follower_id, platform, at DESC, account_id)",
    },
  },
  // Without sizes, SQLite takes the primary key for as good as an index on a later column, and reads all rows of a platform.
  sqlite: {
    sizes: {
      follows: "1000000 333333 100 1",
      follows_newest: "1000000 333333 100 10 1",
      follows_by_follower: "1000000 333333 10 2 1",
    },
  },
  postgres: { columns: { version: rowVersion } },
});
export type FollowRow = RowOf<typeof FOLLOWS.postgres>;
