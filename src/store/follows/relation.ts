import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Relation } from "#store/write/relation.ts";

type FollowRow = ReturnType<typeof toRow>;

function toRow(
  platform: PlatformName,
  { accountId: account_id, followerId: follower_id, since, capturedAt: captured_at, source }: Follow,
) {
  // Without a date of its own, a follow is dated by the first capture that showed it.
  return { platform, account_id, follower_id, at: since ?? Math.floor(captured_at / 1000), since, captured_at, source };
}

export const FOLLOW_ROWS: Relation<Follow, Pick<FollowRow, "at" | "since" | "captured_at">, FollowRow> = {
  kind: "follow",
  restored: ["at", "since", "captured_at", "source"],
  keyOf: ({ account_id, follower_id }) => [account_id, follower_id],
  toRow,
  merge(stored, incoming) {
    if (stored === undefined) return incoming;
    if (stored.captured_at >= incoming.captured_at && (incoming.since === null || stored.since !== null)) return null;
    const since = incoming.since ?? stored.since;
    const captured_at = Math.max(stored.captured_at, incoming.captured_at);
    return { ...incoming, at: since ?? stored.at, since, captured_at };
  },
};
