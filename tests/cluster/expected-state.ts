/**
 * The batches sent, acknowledged and erased. A replica may lag, so a record is due only some seconds after its
 * acknowledgement; while the primary is down, its last commits may not have reached any replica.
 */
export const MAX_LAG_S = 2;
/** The allowed lag, the time to detect it, and what a busy machine adds. */
const SLACK_MS = MAX_LAG_S * 1_000 + 2_000;

export interface ExpectedBatch {
  number: number;
  /** Unique to the batch. */
  word: string;
  author: { id: string; name: string };
  posts: { id: string; text: string; createTime: number }[];
  acknowledgedAt: number;
  eraseStartedAt: number;
  erasedAt: number;
}

export class ExpectedState {
  readonly batches: ExpectedBatch[] = [];
  #downSince = Infinity;
  #upSince = -Infinity;

  primaryGoesDown(): void {
    this.#downSince = performance.now();
    this.#upSince = Infinity;
  }

  primaryIsBack(): void {
    this.#upSince = performance.now();
  }

  /** Everything done before this time is visible everywhere. */
  horizon(): number {
    const now = performance.now();
    const settled = now - this.#upSince > SLACK_MS;
    return Math.min(now, settled ? Infinity : this.#downSince) - SLACK_MS;
  }

  /** Every node must return it. */
  isDue(batch: ExpectedBatch, horizon: number): boolean {
    return batch.acknowledgedAt < horizon && batch.eraseStartedAt === Infinity;
  }

  isGone(batch: ExpectedBatch, horizon: number): boolean {
    return batch.erasedAt < horizon;
  }
}
