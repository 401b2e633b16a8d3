/**
 * This platform pages with an integer `cursor`. Ours is a position, not an offset: the second a record was published
 * and 21 bits that tell it from others of the same second. Two records of one second in one list share those bits once
 * in two million; then one of them may be given twice, never lost.
 */
import type { Position } from "#domain/page.ts";

const BITS = 2 ** 21;

/** Largest second that fits beside the 21 bits: the year 2106. */
const MAX_SECOND = Math.floor(Number.MAX_SAFE_INTEGER / BITS);

export function cursorOf(position: Position): number {
  return Math.min(position.at, MAX_SECOND) * BITS + fingerprint(position.id);
}

/** The position that a cursor names; absent for 0, which starts a walk. `idsAt` lists the records of a second. */
export async function positionOf(
  cursor: number,
  idsAt: (at: number) => Promise<string[]>,
): Promise<Position | undefined> {
  if (cursor === 0) return undefined;
  const at = Math.floor(cursor / BITS);
  const wanted = cursor % BITS;
  const id = (await idsAt(at)).find((candidate) => fingerprint(candidate) === wanted);
  // The record is gone since: give its second again from the start rather than lose one of its neighbours.
  return { at, id: id ?? "" };
}

/** FNV-1a, folded to 21 bits. */
function fingerprint(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return ((hash >>> 21) ^ hash) & (BITS - 1);
}
