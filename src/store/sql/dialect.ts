import type { PlatformName } from "#domain/record.ts";
import type { PostList } from "../reader.ts";
import type { MaybePromise } from "./sql.ts";

/** Where the engines say the same in different words. */
export interface Dialect {
  /** Unix milliseconds by the engine's clock at this moment, not at the start of the transaction. */
  now: string;
  /** Ends a SELECT of rows to be updated: leaves out those that another transaction is changing. */
  skipLocked: string;
  /**
   * Statements that let one transaction at a time start a job, add to the audit log or use the ledger of live sources; null
   * if transactions exclude each other anyway.
   */
  locks: Record<"jobStart" | "audit" | "sources", string> | null;
  /** Whether a statement failed since a table is not there. */
  isMissingTable: (error: unknown) => boolean;
}

/** How `post_lists` has the time of publication. `$4` is such a time, `$5` a post's id. */
export interface PostListDialect {
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
