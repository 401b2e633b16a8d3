/**
 * One order for all stores: relevance first, then attention, then freshness; ties by id. Pure, so that the same
 * candidates always come out the same way.
 */
export interface Candidate {
  id: string;
  /** The title, name or hashtags hold all words of the query. */
  strong: boolean;
  /** The name is the query. */
  exact: boolean;
  at: number;
  engagement: number;
  language: string | null;
  country: string | null;
}

export interface Preferences {
  now: number;
  language?: string | undefined;
  country?: string | undefined;
}

const DAY = 86_400;

export function scoreOf(candidate: Candidate, { now, language, country }: Preferences): number {
  let score = candidate.engagement / 4;
  if (candidate.exact) score += 4;
  if (candidate.strong) score += 2;
  if (candidate.at > 0) score += 1 / (1 + Math.max(0, now - candidate.at) / (30 * DAY));
  if (language !== undefined && sameLanguage(candidate.language, language)) score += 1.5;
  if (country !== undefined && candidate.country === country) score += 0.5;
  return score;
}

/** Best first. */
export function rank(candidates: Candidate[], preferences: Preferences): { id: string; score: number }[] {
  return candidates
    .map((candidate) => ({ id: candidate.id, score: scoreOf(candidate, preferences) }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** `en` prefers `en-GB` too. */
function sameLanguage(held: string | null, wanted: string): boolean {
  return held !== null && held.split("-")[0]?.toLowerCase() === wanted.split("-")[0]?.toLowerCase();
}
