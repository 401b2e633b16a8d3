/**
 * Keyset pagination behind the integer `cursor` that this API promises. A cursor encodes the sort key (the second of
 * publication, or the likes) and a hash of the id that tells apart the records with the same key. On a hash collision the
 * later record takes the next free value, so that paging always ends and returns each record once.
 */
import { fnv1a } from "#domain/fnv1a.ts";
import type { Keyset } from "#domain/page.ts";

/** Lists the records that share the position's sort key. */
type ListPeers = (position: Keyset) => Promise<Keyset[]>;
/** Lists at most `limit` records on either side of the position, those with the nearest sort keys. */
type ListNearest = (position: Keyset, limit: number) => Promise<Keyset[]>;

export interface CursorPaging {
  toCursor(position: Keyset, listPeers: ListPeers): Promise<number>;
  /** Undefined for 0, the first page. */
  toPosition(cursor: number, listPeers: ListPeers, listNearest: ListNearest): Promise<Keyset | undefined>;
}

/** Seconds until 2106 and a million hash values fit into a safe integer. */
export const newestFirst: CursorPaging = pagingBy(
  2 ** 20,
  ({ at }) => at,
  (at) => ({ at, id: "" }),
);

/** 33 million likes and 268 million hash values; unknown likes (-1) sort after 0. */
export const mostLikedFirst: CursorPaging = pagingBy(
  2 ** 28,
  ({ likes = -1 }) => likes + 1,
  (sortKey) => ({ likes: sortKey - 1, at: Number.MAX_SAFE_INTEGER, id: "" }),
);

/** Beside as many as the peers: likes change by little between two pages, and mostly fewer comments have one more. */
const MORE_THAN_PEERS = 1_000;

function pagingBy(
  hashCount: number,
  toSortKey: (position: Keyset) => number,
  firstPosition: (sortKey: number) => Keyset,
): CursorPaging {
  const highestKey = Math.floor(Number.MAX_SAFE_INTEGER / hashCount);
  return {
    async toCursor(position, listPeers) {
      const ids = (await listPeers(position)).map(({ id }) => id);
      const byHash = assignHashes([...ids, position.id], hashCount);
      let hash = hashId(position.id, hashCount);
      while (byHash.get(hash) !== position.id) hash = nextHash(hash, hashCount);
      return Math.min(toSortKey(position), highestKey) * hashCount + hash;
    },
    async toPosition(cursor, listPeers, listNearest) {
      if (cursor === 0) return undefined;
      const start = firstPosition(Math.floor(cursor / hashCount));
      const hash = cursor % hashCount;
      const peers = await listPeers(start);
      const ids = peers.map(({ id }) => id);
      const found = assignHashes(ids, hashCount).get(hash);
      if (found !== undefined) return peers[ids.indexOf(found)];
      // Where the record was among its peers makes no difference if there are none.
      if (peers.length === 0) return start;
      // The record's sort key changed, as likes do: continue from its former position. Or it was deleted, or moved far: then
      // repeat its peers rather than miss some.
      const nearest = await listNearest(start, MORE_THAN_PEERS + peers.length);
      const [moved] = nearest.filter(({ id }) => hashId(id, hashCount) === hash).toSorted(byId);
      if (moved === undefined) return start;
      return start.likes === undefined ? { ...moved, at: start.at } : { ...moved, likes: start.likes };
    },
  };
}

/**
 * Ids by hash. Smaller ids choose first, in whatever order they are given: an id displaces a larger one, which takes the
 * next (Amble and Knuth, Ordered Hash Tables, 1974). Sorting tens of thousands of peers would take most of a response.
 */
function assignHashes(ids: readonly string[], hashCount: number): Map<number, string> {
  const byHash = new Map<number, string>();
  for (const given of ids) {
    let id = given;
    let hash = hashId(id, hashCount);
    let other: string | undefined;
    while ((other = byHash.get(hash)) !== undefined && other !== id) {
      if (id < other) {
        byHash.set(hash, id);
        id = other;
      }
      hash = nextHash(hash, hashCount);
    }
    byHash.set(hash, id);
  }
  return byHash;
}

function nextHash(hash: number, hashCount: number): number {
  return (hash % (hashCount - 1)) + 1;
}

function byId(one: Keyset, other: Keyset): number {
  return one.id < other.id ? -1 : 1;
}

/** From 1, so that no cursor is 0. */
export function hashId(id: string, hashCount: number): number {
  return (fnv1a(id) % (hashCount - 1)) + 1;
}
