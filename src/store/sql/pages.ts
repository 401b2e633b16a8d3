/** Keyset pages of lists that are newest first, then by id. */
import type { Keyset, Page } from "#domain/page.ts";

/** The keyset before the first row. */
export const START: Keyset = { at: Number.MAX_SAFE_INTEGER, id: "" };

export function keysetOf({ at, id, likes }: Keyset): Keyset {
  return likes === undefined ? { at, id } : { at, id, likes };
}

/** Drops the row fetched beyond the limit, which only tells that there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  toKeyset: (row: Row) => Keyset,
): { rows: readonly Row[]; rest: Omit<Page<never>, "items"> } {
  const more = rows.length > limit;
  const page = more ? rows.slice(0, limit) : rows;
  const last = page.at(-1);
  return { rows: page, rest: last === undefined ? { more } : { more, last: toKeyset(last) } };
}

export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toKeyset: (row: Row) => Keyset,
  toItem: (row: Row) => Item,
): Page<Item> {
  const page = cutPage(rows, limit, toKeyset);
  return { items: page.rows.map(toItem), ...page.rest };
}
