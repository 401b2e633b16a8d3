/**
 * How often keys were counted of late, roughly: a key has two places that others may share, and the lower of the two counts
 * is closer to the truth. All counts are halved now and then, so that what was popular last week makes room.
 */
export class Frequencies {
  readonly #counts = new Uint8Array(PLACES);
  #counted = 0;

  count(key: string): void {
    const hash = hashOf(key);
    this.#raise(hash & LAST_PLACE);
    this.#raise((hash >>> 12) & LAST_PLACE);
    if (++this.#counted < HALVED_AFTER) return;
    this.#counted = 0;
    for (let at = 0; at < PLACES; at++) this.#counts[at] = (this.#counts[at] as number) >> 1;
  }

  of(key: string): number {
    const hash = hashOf(key);
    return Math.min(this.#counts[hash & LAST_PLACE] as number, this.#counts[(hash >>> 12) & LAST_PLACE] as number);
  }

  #raise(place: number): void {
    const count = this.#counts[place] as number;
    if (count < 255) this.#counts[place] = count + 1;
  }
}

/** Many times as many as there are keys worth telling apart: what is counted once must not look as if it were counted again. */
const PLACES = 2 ** 20;
const LAST_PLACE = PLACES - 1;
const HALVED_AFTER = 2 ** 20;

/** FNV-1a. Addresses differ at their ends: that much of one is enough. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5 ^ key.length;
  for (let at = Math.max(0, key.length - 32); at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
