/** Which of many things is asked for next: all alike, or by Zipf's law (s = 1), where a few are asked for most of the time. */
import { seeded } from "./capture.ts";

export const PATTERNS = ["zipf", "uniform"] as const;
export type Pattern = (typeof PATTERNS)[number];

/** `length` places from 0 to below `size`, drawn one by one: the same for the same seed. */
export function drawPlaces(pattern: Pattern, size: number, length: number, seed = 1): Uint32Array {
  const random = seeded(seed);
  const places = new Uint32Array(length);
  if (pattern === "uniform") return places.map(() => Math.floor(random() * size));
  const sums = harmonicSums(size);
  const placeOfRank = shuffled(size);
  return places.map(() => placeOfRank[rankAt(random() * (sums[size - 1] as number), sums)] as number);
}

/** At each rank, from 0, the sum of 1/1 + 1/2 + … up to it. */
export function harmonicSums(size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let rank = 0, sum = 0; rank < size; rank++) sums[rank] = sum += 1 / (rank + 1);
  return sums;
}

/** The first rank whose sum is above what was drawn. */
export function rankAt(drawn: number, sums: Float64Array): number {
  let low = 0;
  for (let high = sums.length - 1; low < high;) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] as number) <= drawn) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So that what is asked for most lies anywhere among the records, and always at the same places. */
function shuffled(size: number): Uint32Array {
  const random = seeded(20_261_115);
  const places = Uint32Array.from({ length: size }, (_, place) => place);
  for (let last = size - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const kept = places[last] as number;
    places[last] = places[other] as number;
    places[other] = kept;
  }
  return places;
}
