/**
 * What is known to be held: batches that were sent, those that were acknowledged, people who were erased. A replica may
 * be some seconds behind, so a record is due only that long after its acknowledgement; and while the primary is away,
 * what it acknowledged last may have reached nobody yet.
 */
export const MAX_LAG_S = 2;
/** The lag that is allowed, what a check of it takes, and what a busy machine adds. */
const SLACK_MS = MAX_LAG_S * 1_000 + 2_000;

export interface ExpectedBatch {
  number: number;
  /** A word that no other batch has. */
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

  /** Whatever was done before this moment shows everywhere. */
  horizon(): number {
    const now = performance.now();
    const settled = now - this.#upSince > SLACK_MS;
    return Math.min(now, settled ? Infinity : this.#downSince) - SLACK_MS;
  }

  /** Must be shown by everybody who is asked after the horizon. */
  isDue(batch: ExpectedBatch, horizon: number): boolean {
    return batch.acknowledgedAt < horizon && batch.eraseStartedAt === Infinity;
  }

  isGone(batch: ExpectedBatch, horizon: number): boolean {
    return batch.erasedAt < horizon;
  }
}
