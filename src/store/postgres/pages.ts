/** Pages of lists that are newest first, then by id. */
import type { Page, Keyset } from "#domain/page.ts";

/** After every position: lists begin here. */
export const START: Keyset = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** Rows are fetched one beyond the limit: that one only tells that there is more. */
export function cut<Row extends { id: string; at: number; likes?: number }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; rest: Omit<Page<never>, "items"> } {
  const more = rows.length > limit;
  const kept = more ? rows.slice(0, limit) : rows;
  const last = kept.at(-1);
  if (last === undefined) return { rows: kept, rest: { more } };
  const { at, id, likes } = last;
  return { rows: kept, rest: { more, last: likes === undefined ? { at, id } : { at, id, likes } } };
}
