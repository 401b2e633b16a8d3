export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** The share of a delay that is left to chance, so that callers that failed together do not return together. */
  jitter: number;
}

/** The delay after failure number `failures`, the first being 1: doubles up to a bound. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs, jitter }: Backoff,
  random: () => number = Math.random,
): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs) * (1 - jitter + jitter * random());
}
