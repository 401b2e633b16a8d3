/** Groups of items with the same key, in the order of their first items. No group is empty. */
export type Group<Item> = [first: Item, ...others: Item[]];

export function groupsBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, Group<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
