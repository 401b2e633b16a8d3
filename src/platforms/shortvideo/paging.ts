/**
 * This platform pages with an integer `cursor`. Ours is a position, not an offset: the second a record was published (or
 * its likes, where these give the order) and a mark that tells it from others of the same second. Marks are hashes of
 * ids, and where two neighbours hash alike the later one takes the next free mark, so that every walk ends and gives
 * each record once.
 */
import { fnv1a } from "#domain/fnv1a.ts";
import type { Keyset } from "#domain/page.ts";

/** The record that a position names, among those that share its second or its likes. */
type Neighbours = (position: Keyset) => Promise<Keyset[]>;

export interface Paging {
  cursorOf(position: Keyset, neighbours: Neighbours): Promise<number>;
  /** Undefined for 0, which starts a walk. */
  positionOf(cursor: number, neighbours: Neighbours, everyone: () => Promise<Keyset[]>): Promise<Keyset | undefined>;
}

/** Seconds until 2106 beside a million marks. */
export const newestFirst: Paging = pagingBy(
  2 ** 20,
  ({ at }) => at,
  (at) => ({ at, id: "" }),
);

/** 33 million likes beside 268 million marks; unknown likes (-1) come after none. */
export const mostLikedFirst: Paging = pagingBy(
  2 ** 28,
  ({ likes = -1 }) => likes + 1,
  (group) => ({ likes: group - 1, at: Number.MAX_SAFE_INTEGER, id: "" }),
);

function pagingBy(marks: number, groupOf: (position: Keyset) => number, startOf: (group: number) => Keyset): Paging {
  const highest = Math.floor(Number.MAX_SAFE_INTEGER / marks);
  return {
    async cursorOf(position, neighbours) {
      const ids = (await neighbours(position)).map(({ id }) => id);
      const mark = markIds([...ids, position.id], marks).get(position.id) as number;
      return Math.min(groupOf(position), highest) * marks + mark;
    },
    async positionOf(cursor, neighbours, everyone) {
      if (cursor === 0) return undefined;
      const start = startOf(Math.floor(cursor / marks));
      const mark = cursor % marks;
      const group = await neighbours(start);
      const marked = markIds(
        group.map(({ id }) => id),
        marks,
      );
      const found = group.find(({ id }) => marked.get(id) === mark);
      if (found !== undefined) return found;
      // It moved away since, as a comment does whose likes changed: the walk goes on where it stood then. Or it is gone:
      // then its neighbours are given again rather than lost.
      const moved = (await everyone()).find(({ id }) => markOf(id, marks) === mark);
      if (moved === undefined) return start;
      return start.likes === undefined ? { ...moved, at: start.at } : { ...moved, likes: start.likes };
    },
  };
}

function markIds(ids: string[], marks: number): Map<string, number> {
  const marked = new Map<string, number>();
  const taken = new Set<number>();
  for (const id of [...new Set(ids)].toSorted()) {
    let mark = markOf(id, marks);
    while (taken.has(mark)) mark = (mark % (marks - 1)) + 1;
    taken.add(mark);
    marked.set(id, mark);
  }
  return marked;
}

/** From 1, so that no cursor is 0. */
export function markOf(id: string, marks: number): number {
  return (fnv1a(id) % (marks - 1)) + 1;
}
