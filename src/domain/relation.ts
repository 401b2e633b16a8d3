import type { Provenance } from "./record.ts";

/** One account follows another. */
export interface Follow extends Provenance {
  accountId: string;
  followerId: string;
  /** When it began; null when the capture did not say. */
  since: number | null;
}
