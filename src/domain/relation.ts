import type { Provenance } from "./record.ts";

/** One account follows another. */
export interface Follow extends Provenance {
  accountId: string;
  followerId: string;
  /** Null if unknown. */
  since: number | null;
}
