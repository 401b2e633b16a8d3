/** Ranks several lists of search results together, while each stays a list of its own. */
import { compareText } from "#domain/compare-text.ts";

interface Result {
  item: { id: string };
  score: number;
}

/** Positions count across all lists; 0 is best. Equal scores rank by list, then by id, so that the order is stable. */
export function rankTogether<Lists extends readonly (readonly Result[])[]>(
  ...lists: Lists
): { [Index in keyof Lists]: Ranked<Lists[Index]>[] } {
  const all = lists.flatMap((results, list) => results.map(({ item, score }) => ({ item, score, list })));
  all.sort((a, b) => b.score - a.score || a.list - b.list || compareText(a.item.id, b.item.id));
  const ranked: { item: Result["item"]; position: number }[][] = lists.map(() => []);
  for (const [position, { item, list }] of all.entries()) ranked[list]?.push({ item, position });
  // Each item is back in its own list, which the type checker cannot see.
  return ranked as { [Index in keyof Lists]: Ranked<Lists[Index]>[] };
}

type Ranked<Results> = Results extends readonly (infer One)[] ? Positioned<One> : never;
type Positioned<One> = One extends { item: infer Item } ? { item: Item; position: number } : never;
