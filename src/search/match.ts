/** The query language of SearchEngine: which tokens a document must contain. */
export type Match =
  | string
  /** In this order, adjacent. */
  | { phrase: readonly string[] }
  | { all: readonly Match[] }
  | { any: readonly Match[] }
  | { match: Match; not: Match };

/** Matches nothing. */
export const NO_MATCH: Match = { any: [] };

export function allOf(...matches: Match[]): Match {
  const [only, ...others] = matches;
  return only !== undefined && others.length === 0 ? only : { all: matches };
}

export function anyOf(matches: readonly Match[]): Match {
  const [only, ...others] = matches;
  return only !== undefined && others.length === 0 ? only : { any: matches };
}

/** True if nothing can match, so no engine needs to be queried. */
export function isImpossible(match: Match): boolean {
  if (typeof match === "string") return false;
  if ("phrase" in match) return match.phrase.length === 0;
  if ("all" in match) return match.all.length === 0 || match.all.some(isImpossible);
  if ("any" in match) return match.any.every(isImpossible);
  return isImpossible(match.match);
}

/** How many words and filter terms an engine looks up for it. */
export function countTerms(match: Match): number {
  if (typeof match === "string") return 1;
  if ("phrase" in match) return match.phrase.length;
  if ("not" in match) return countTerms(match.match) + countTerms(match.not);
  return ("all" in match ? match.all : match.any).reduce((sum, part) => sum + countTerms(part), 0);
}

/** Exact limits behind the coarse filter terms. */
export interface Bounds {
  since?: number | undefined;
  until?: number | undefined;
  minViews?: number | undefined;
  minLikes?: number | undefined;
}
