/** What invented people write: words that repeat as words do, hashtags among them, and numbers that come up as numbers do. */
import { word } from "./capture.ts";

const TAGS = 5_000;
const WORDS = 30_000;
/** Posts of every size of corpus lie within the same two years, so that growth is growth and not age. */
const BEGIN = 1_720_000_000;
const SPAN = 2 * 365 * 86_400;

export type Random = () => number;

/** From 0 to below `size`, each as often as any other. */
export function even(random: Random, size: number): number {
  return Math.floor(random() * size);
}

/** From 0 to below `size`, small numbers far more often. */
export function skewed(random: Random, size: number): number {
  return Math.min(size - 1, Math.floor(size ** random()) - 1);
}

/** Mostly even, so that each has about the same, and for a fifth skewed, so that a few have very many. */
export function popular(random: Random, size: number): number {
  return random() < 0.2 ? skewed(random, size) : even(random, size);
}

export function sentence(random: Random, fewest: number, most: number): string {
  return Array.from({ length: fewest + even(random, most - fewest) }, () => word(skewed(random, WORDS))).join(" ");
}

export function tagsOf(random: Random): string[] {
  return [...new Set(Array.from({ length: 1 + even(random, 4) }, () => word(skewed(random, TAGS))))];
}

/** Heavy-tailed: most are small, some are very large. */
export function views(random: Random): number {
  return Math.floor(10 ** (2 + random() * 5));
}

/** Unix seconds of the n-th of `count` posts. */
export function publishedAt(number: number, count: number): number {
  return BEGIN + Math.floor((number / count) * SPAN);
}
