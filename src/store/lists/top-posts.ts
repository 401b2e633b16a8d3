/** How many of a list's newest posts are considered for its top posts: no index has a list ordered by engagement. */
export const TOP_CANDIDATES = 1_000;

/** The ids with the most engagement, best first. */
export function topPostIds(candidates: readonly { id: string; engagement: number }[], limit: number): string[] {
  return candidates
    .toSorted((a, b) => b.engagement - a.engagement || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}
