/** Totals computed from the posts: hashtags, per-author sums and follower history. */
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters } from "#domain/record.ts";
import { DAY_S } from "#domain/time.ts";
import type { Random } from "./random.ts";
import { SOURCE } from "./scenario.ts";

/** Hashtag ids by name. */
export function assignHashtagIds(
  outlines: readonly { hashtags: string[] }[],
  createId: (name: string) => string,
): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { hashtags } of outlines) {
    for (const name of hashtags) if (!ids.has(name)) ids.set(name, createId(name));
  }
  return ids;
}

/** Some rare hashtags get no record: they are known only from their posts. */
export function createHashtags<Native extends object>(
  random: Random,
  posts: readonly Post[],
  ids: ReadonlyMap<string, string>,
  capturedAt: number,
  toNative: (name: string, id: string) => Native,
): Hashtag<Native>[] {
  const sums = new Map<string, { posts: number; views: number }>();
  for (const post of posts) {
    for (const name of post.hashtags) {
      const entry = sums.get(name) ?? { posts: 0, views: 0 };
      entry.posts++;
      entry.views += post.counters.views ?? (post.counters.likes ?? 0) * 10;
      sums.set(name, entry);
    }
  }
  const hashtags: Hashtag<Native>[] = [];
  for (const [name, sum] of sums) {
    const id = ids.get(name);
    if (id === undefined || (sum.posts <= 2 && random.chance(0.3))) continue;
    // The platform's own counts cover far more posts than the demo data.
    const scale = random.between(30, 400);
    const counters = { posts: Math.round(sum.posts * scale), views: Math.round(sum.views * scale) };
    hashtags.push({
      id: foldName(name),
      platformId: id === name ? null : id,
      name,
      counters,
      native: toNative(name, id),
      capturedAt,
      source: SOURCE,
    });
  }
  return hashtags;
}

export interface AuthorTotals {
  posts: number;
  views: number;
  likes: number;
}

export function sumByAuthor(posts: readonly Post[]): Map<string, AuthorTotals> {
  const totals = new Map<string, AuthorTotals>();
  for (const { authorId, counters } of posts) {
    if (authorId === null) continue;
    const entry = totals.get(authorId) ?? { posts: 0, views: 0, likes: 0 };
    entry.posts++;
    entry.views += counters.views ?? 0;
    entry.likes += counters.likes ?? 0;
    totals.set(authorId, entry);
  }
  return totals;
}

/** Weekly captures of an account's counters, with followers growing by a few per cent a week. */
export function createFollowerHistory(random: Random, capturedAt: number, counters: Counters): CounterPoint[] {
  const weekly = random.between(0.004, 0.06);
  const points: CounterPoint[] = [];
  for (let week = 6; week >= 1; week--) {
    points.push({
      capturedAt: capturedAt - week * 7 * DAY_S * 1_000,
      counters: { ...counters, followers: Math.floor((counters.followers ?? 0) / (1 + weekly) ** week) },
    });
  }
  return points;
}
