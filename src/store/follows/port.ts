import type { Account } from "#domain/account.ts";
import type { Page, PageRequest } from "#domain/page.ts";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { Follow } from "#domain/relation.ts";
import type { Natives } from "#store/records/port.ts";

/** Newest first, then by id. */
export interface FollowReader<N extends Natives = Natives> {
  listFollowers(accountId: string, page: PageRequest): Promise<Page<Follow>>;
  /** With the follower's account, or null when only its id is known. */
  listRenderedFollowers<Body>(
    accountId: string,
    page: PageRequest,
    projection: Projection<Account<N["account"]>, Body>,
  ): Promise<Page<Follow & { account: Rendered<Body> | null }>>;
  countFollowers(accountId: string): Promise<number>;
  /** The accounts that it follows. */
  listFollowing(followerId: string, page: PageRequest): Promise<Page<Follow>>;
  countFollowing(followerId: string): Promise<number>;
}
