/** Follows: most of the audience follow someone, and creators follow each other. */
import type { Follow } from "#domain/relation.ts";
import { DAY_S } from "#domain/time.ts";
import { at, type Random } from "./random.ts";
import { SOURCE } from "./scenario.ts";

const FEATURED_FOLLOWERS = 460;

/** The first creator is the featured one. */
export function createFollows(
  random: Random,
  hour: number,
  creatorIds: readonly string[],
  audienceIds: readonly string[],
): Follow[] {
  const everyone = [...creatorIds, ...audienceIds];
  return creatorIds.flatMap((accountId, index) => {
    const size = index === 0 ? FEATURED_FOLLOWERS : Math.min(200, Math.max(20, Math.floor(random.logNormal(70, 0.6))));
    return pickFollowers(random, everyone, creatorIds.length, size + 1)
      .filter((followerId) => followerId !== accountId)
      .slice(0, size)
      .map((followerId): Follow => ({
        accountId,
        followerId,
        // Not every capture includes the date.
        since: random.chance(0.12) ? null : hour - Math.floor(900 * DAY_S * random.fraction() ** 1.8),
        capturedAt: hour * 1_000,
        source: SOURCE,
      }));
  });
}

/** A tenth are creators; all distinct. */
function pickFollowers(random: Random, everyone: readonly string[], creators: number, size: number): string[] {
  const chosen = new Set<string>();
  while (chosen.size < size) {
    const index = random.chance(0.1) ? random.integer(0, creators - 1) : random.integer(creators, everyone.length - 1);
    chosen.add(at(everyone, index));
  }
  return [...chosen];
}

/** Followers and followed accounts in the demo data, per account. */
export function countFollows(follows: readonly Follow[]): {
  followers: Map<string, number>;
  following: Map<string, number>;
} {
  const followers = new Map<string, number>();
  const following = new Map<string, number>();
  for (const { accountId, followerId } of follows) {
    followers.set(accountId, (followers.get(accountId) ?? 0) + 1);
    following.set(followerId, (following.get(followerId) ?? 0) + 1);
  }
  return { followers, following };
}
