import { foldName } from "#domain/folding.ts";
import type { Page, Keyset } from "#domain/page.ts";
import type { PostList } from "../store.ts";

/** After every position: lists begin here. */
export const START: Keyset = { at: Number.MAX_SAFE_INTEGER, id: "" };

export function listKey(list: PostList, key: string): string {
  return list === "hashtag" ? foldName(key) : key;
}

/** Rows are fetched one beyond the limit: that one only tells that there is more. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => Keyset,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const more = rows.length > limit;
  if (more) rows.length = limit;
  const last = rows.at(-1);
  const items = rows.map(itemOf);
  return last === undefined ? { items, more } : { items, more, last: positionOf(last) };
}
