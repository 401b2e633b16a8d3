/** One ranking over several lists of search results, which each keep their own place in the answer. */

interface Result {
  item: { id: string };
  score: number;
}

/**
 * For each list, the results in order with their positions over all lists together, 0 being best. Of equal scores the
 * earlier list goes first, then the smaller id, so that the same question has the same answer.
 */
export function rankAcross<Lists extends readonly (readonly Result[])[]>(
  ...lists: Lists
): { [Index in keyof Lists]: Ranked<Lists[Index]>[] } {
  const all = lists.flatMap((results, list) => results.map(({ item, score }) => ({ item, score, list })));
  all.sort((a, b) => b.score - a.score || a.list - b.list || compareText(a.item.id, b.item.id));
  const ranked: { item: Result["item"]; position: number }[][] = lists.map(() => []);
  for (const [position, { item, list }] of all.entries()) ranked[list]?.push({ item, position });
  // Each item went back to the list it came from, which the type checker cannot see.
  return ranked as { [Index in keyof Lists]: Ranked<Lists[Index]>[] };
}

type Ranked<Results> = Results extends readonly (infer One)[] ? Positioned<One> : never;
type Positioned<One> = One extends { item: infer Item } ? { item: Item; position: number } : never;

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
