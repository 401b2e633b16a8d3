/** Which of many keys is requested next: each as often as any other, or by Zipf's law (s = 1). */
import { seeded } from "./random.ts";

export const PATTERNS = ["zipf", "uniform"] as const;
export type Pattern = (typeof PATTERNS)[number];

/** `length` indices from 0 to below `size`: the same for the same seed. */
export function drawIndices(pattern: Pattern, size: number, length: number, seed = 1): Uint32Array {
  const random = seeded(seed);
  const indices = new Uint32Array(length);
  if (pattern === "uniform") return indices.map(() => Math.floor(random() * size));
  const sums = harmonicSums(size);
  const indexOfRank = shuffledIndices(size);
  return indices.map(() => indexOfRank[rankAt(random() * (sums[size - 1] as number), sums)] as number);
}

/** At each rank, from 0, the sum of 1/1 + 1/2 + … up to it. */
export function harmonicSums(size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let rank = 0, sum = 0; rank < size; rank++) sums[rank] = sum += 1 / (rank + 1);
  return sums;
}

/** The first rank whose sum is above the number drawn. */
export function rankAt(drawn: number, sums: Float64Array): number {
  let low = 0;
  for (let high = sums.length - 1; low < high;) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] as number) <= drawn) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So that the most requested keys lie anywhere among the records, and in every run at the same indices. */
function shuffledIndices(size: number): Uint32Array {
  const random = seeded(20_261_115);
  const indices = Uint32Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [indices[last], indices[other]] = [indices[other] as number, indices[last] as number];
  }
  return indices;
}
