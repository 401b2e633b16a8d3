/**
 * Deterministic pseudo-random numbers: sfc32, seeded by a text. Each platform has its own seed, so that a change in one
 * platform's data leaves the others as they were.
 */
import { fnv1a } from "#domain/fnv1a.ts";

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    const next = createSeeder(seed);
    this.#a = next();
    this.#b = next();
    this.#c = next();
    for (let round = 0; round < 12; round++) this.bits();
  }

  /** 32 random bits, as an unsigned integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** Both ends inclusive. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  between(least: number, most: number): number {
    return least + this.fraction() * (most - least);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return at(items, Math.floor(this.fraction() * items.length));
  }

  /** Favours earlier items; `steepness` 1 is uniform. */
  pickEarly<Item>(items: readonly Item[], steepness: number): Item {
    return at(items, Math.floor(this.fraction() ** steepness * items.length));
  }

  /** Distinct items, in random order. */
  sample<Item>(items: readonly Item[], size: number): Item[] {
    const rest = [...items];
    const wanted = Math.min(size, rest.length);
    for (let index = 0; index < wanted; index++) {
      const other = this.integer(index, rest.length - 1);
      const swapped = at(rest, index);
      rest[index] = at(rest, other);
      rest[other] = swapped;
    }
    return rest.slice(0, wanted);
  }

  /** Log-normal: most values are near `median`, a few a hundred times as large. */
  logNormal(median: number, spread: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * this.fraction()));
  }

  text(alphabet: string, length: number): string {
    let text = "";
    for (let index = 0; index < length; index++) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }
}

/** Throws for an index out of range. */
export function at<Item>(items: readonly Item[], index: number): Item {
  if (index < 0 || index >= items.length) throw new RangeError(`no item ${index} among ${items.length}`);
  return items[index] as Item;
}

/** FNV-1a of the seed, mixed further for each number. */
function createSeeder(seed: string): () => number {
  let hash = fnv1a(seed);
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^= hash >>> 16);
  };
}
