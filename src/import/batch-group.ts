/**
 * Collects the batches of small files in one archive, which are then written in one transaction: each commit waits for the
 * disk, and an archive may have 100,000 files. Batches that are full, and files on their own, do not wait.
 */
import { BATCH_TEXT } from "./batch-builder.ts";
import type { ReadBatch } from "./read-files.ts";

const MAX_FILES = 1_000;
const MAX_RECORDS = 2_000;
/** So that progress is seen, and that little is read again after a kill. */
const MAX_WAIT_MS = 500;

export class BatchGroup {
  #batches: ReadBatch[] = [];
  #files = new Set<string>();
  #recordCount = 0;
  #textLength = 0;
  #startedAt = 0;

  /** Whether the batch may be in one transaction with the others: another file under the same claim. */
  canTake({ claimId, file }: ReadBatch): boolean {
    const first = this.#batches[0];
    return first === undefined || (first.claimId === claimId && !this.#files.has(file));
  }

  /** Returns whether the group is to be written now. */
  add(batch: ReadBatch): boolean {
    if (this.#batches.length === 0) this.#startedAt = performance.now();
    this.#batches.push(batch);
    this.#files.add(batch.file);
    this.#recordCount += batch.recordCount;
    this.#textLength += batch.textLength;
    return (
      batch.isLast ||
      batch.state === "running" ||
      this.#batches.length >= MAX_FILES ||
      this.#recordCount >= MAX_RECORDS ||
      this.#textLength >= BATCH_TEXT ||
      performance.now() - this.#startedAt >= MAX_WAIT_MS
    );
  }

  take(): ReadBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    this.#files = new Set();
    this.#recordCount = 0;
    this.#textLength = 0;
    return batches;
  }
}
