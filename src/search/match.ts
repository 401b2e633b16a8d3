/** What a document must hold, in tokens: the little language that every store's engine is asked in. */
export type Match =
  | string
  /** One after the other. */
  | { phrase: readonly string[] }
  | { all: readonly Match[] }
  | { any: readonly Match[] }
  | { match: Match; not: Match };

/** Matches nothing. */
export const none: Match = { any: [] };

export function both(...matches: Match[]): Match {
  return matches.length === 1 ? (matches[0] as Match) : { all: matches };
}

/** Whether nothing can match, so that no engine need be asked. */
export function isImpossible(match: Match): boolean {
  if (typeof match === "string") return false;
  if ("phrase" in match) return match.phrase.length === 0;
  if ("all" in match) return match.all.length === 0 || match.all.some(isImpossible);
  if ("any" in match) return match.any.every(isImpossible);
  return isImpossible(match.match);
}

/** How many words and marks an engine looks up for it. */
export function countTerms(match: Match): number {
  if (typeof match === "string") return 1;
  if ("phrase" in match) return match.phrase.length;
  if ("not" in match) return countTerms(match.match) + countTerms(match.not);
  return ("all" in match ? match.all : match.any).reduce((sum, part) => sum + countTerms(part), 0);
}

/** Numbers that marks narrow down only roughly. */
export interface Bounds {
  since?: number | undefined;
  until?: number | undefined;
  minViews?: number | undefined;
  minLikes?: number | undefined;
}
