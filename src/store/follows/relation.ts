import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Captured, Relation } from "#store/write/relation.ts";

interface FollowTimes extends Captured {
  at: number;
  since: number | null;
}

interface FollowRow extends FollowTimes {
  platform: PlatformName;
  account_id: string;
  follower_id: string;
  source: string;
}

export const FOLLOW_ROWS: Relation<Follow, FollowTimes, FollowRow> = {
  kind: "follow",
  restored: ["at", "since", "captured_at", "source"],
  keyOf: ({ account_id, follower_id }) => [account_id, follower_id],
  toRow: (
    platform,
    { accountId: account_id, followerId: follower_id, since, capturedAt: captured_at, source },
  ): FollowRow => {
    // Without a date of its own, a follow is dated by the first capture that showed it.
    const at = since ?? Math.floor(captured_at / 1000);
    return { platform, account_id, follower_id, at, since, captured_at, source };
  },
  merge(stored, incoming) {
    if (stored === undefined) return incoming;
    if (stored.captured_at >= incoming.captured_at && (incoming.since === null || stored.since !== null)) return null;
    const since = incoming.since ?? stored.since;
    const captured_at = Math.max(stored.captured_at, incoming.captured_at);
    return { ...incoming, at: since ?? stored.at, since, captured_at };
  },
};
