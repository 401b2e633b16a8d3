/** The first item of each key, in order. */
export function uniqueBy<Item>(items: readonly Item[], getKey: (item: Item) => string): Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const key = getKey(item);
    if (!byKey.has(key)) byKey.set(key, item);
  }
  return [...byKey.values()];
}
