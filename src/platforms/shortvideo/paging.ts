/**
 * Keyset pagination behind the integer `cursor` that this API promises. A cursor encodes the sort key (the second of
 * publication, or the likes) and a hash of the id that tells apart the records with the same key. On a hash collision the
 * later record takes the next free value, so that paging always ends and returns each record once.
 */
import { fnv1a } from "#domain/fnv1a.ts";
import type { Keyset } from "#domain/page.ts";

/** Lists the records that share the position's sort key. */
type ListPeers = (position: Keyset) => Promise<Keyset[]>;

export interface Paging {
  toCursor(position: Keyset, listPeers: ListPeers): Promise<number>;
  /** Undefined for 0, the first page. */
  toPosition(cursor: number, listPeers: ListPeers, listAll: () => Promise<Keyset[]>): Promise<Keyset | undefined>;
}

/** Seconds until 2106 and a million hash values fit into a safe integer. */
export const newestFirst: Paging = pagingBy(
  2 ** 20,
  ({ at }) => at,
  (at) => ({ at, id: "" }),
);

/** 33 million likes and 268 million hash values; unknown likes (-1) sort after 0. */
export const mostLikedFirst: Paging = pagingBy(
  2 ** 28,
  ({ likes = -1 }) => likes + 1,
  (sortKey) => ({ likes: sortKey - 1, at: Number.MAX_SAFE_INTEGER, id: "" }),
);

function pagingBy(
  hashCount: number,
  toSortKey: (position: Keyset) => number,
  firstPosition: (sortKey: number) => Keyset,
): Paging {
  const highestKey = Math.floor(Number.MAX_SAFE_INTEGER / hashCount);
  return {
    async toCursor(position, listPeers) {
      const ids = (await listPeers(position)).map(({ id }) => id);
      const hash = assignHashes([...ids, position.id], hashCount).get(position.id) as number;
      return Math.min(toSortKey(position), highestKey) * hashCount + hash;
    },
    async toPosition(cursor, listPeers, listAll) {
      if (cursor === 0) return undefined;
      const start = firstPosition(Math.floor(cursor / hashCount));
      const hash = cursor % hashCount;
      const peers = await listPeers(start);
      const hashes = assignHashes(
        peers.map(({ id }) => id),
        hashCount,
      );
      const match = peers.find(({ id }) => hashes.get(id) === hash);
      if (match !== undefined) return match;
      // The record's sort key changed, as likes do: continue from its former position. Or it was deleted: then repeat its
      // peers rather than miss some.
      const moved = (await listAll()).find(({ id }) => hashId(id, hashCount) === hash);
      if (moved === undefined) return start;
      return start.likes === undefined ? { ...moved, at: start.at } : { ...moved, likes: start.likes };
    },
  };
}

function assignHashes(ids: string[], hashCount: number): Map<string, number> {
  const hashes = new Map<string, number>();
  const taken = new Set<number>();
  for (const id of [...new Set(ids)].toSorted()) {
    let hash = hashId(id, hashCount);
    while (taken.has(hash)) hash = (hash % (hashCount - 1)) + 1;
    taken.add(hash);
    hashes.set(id, hash);
  }
  return hashes;
}

/** From 1, so that no cursor is 0. */
export function hashId(id: string, hashCount: number): number {
  return (fnv1a(id) % (hashCount - 1)) + 1;
}
