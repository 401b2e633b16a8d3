/**
 * Guards against decompression bombs. An `ExpansionBudget` belongs to one file on disk and counts everything that is
 * decompressed from it, so that many small bombs in one archive, or a bomb in a bomb, cost no more than one.
 */
import type { Refusal } from "#api/refusals.ts";
import type { ByteStream } from "./byte-stream.ts";
import { type SizeLimits, formatSize } from "./size-limits.ts";
import { UnreadableError } from "./unreadable-error.ts";

export class ExpansionBudget {
  readonly #limits: SizeLimits;
  /** Bytes of the file read so far. */
  readonly #bytesRead: () => number;
  readonly #onBytes: ((count: number) => void) | undefined;
  #produced = 0;
  #exhausted: Refusal | undefined;

  constructor(limits: SizeLimits, bytesRead: () => number, onBytes?: (count: number) => void) {
    this.#limits = limits;
    this.#bytesRead = bytesRead;
    this.#onBytes = onBytes;
  }

  /** Why nothing more may be decompressed from this file. */
  get exhausted(): Refusal | undefined {
    return this.#exhausted;
  }

  spend(bytes: number): void {
    this.#produced += bytes;
    this.#onBytes?.(bytes);
    const { outputBytes, ratio, archiveRatioFromBytes } = this.#limits;
    if (this.#produced > outputBytes) {
      this.#exhausted = `expands_too_much: to more than ${formatSize(outputBytes)}`;
    } else if (this.#produced > archiveRatioFromBytes && this.#produced > ratio * this.#bytesRead()) {
      this.#exhausted = `expands_too_much: the whole file to more than ${ratio} times its size`;
    }
    if (this.#exhausted !== undefined) throw new UnreadableError(this.#exhausted);
  }
}

/** Throws when decompressed bytes exceed the budget, or the allowed ratio to the compressed bytes. */
export async function* limitExpansion(
  output: ByteStream,
  compressedBytes: () => number,
  budget: ExpansionBudget,
  limits: SizeLimits,
): AsyncGenerator<Buffer> {
  let produced = 0;
  for await (const chunk of output) {
    produced += chunk.length;
    if (produced > limits.ratioFromBytes && produced > limits.ratio * compressedBytes()) {
      throw new UnreadableError(`expands_too_much: to more than ${limits.ratio} times its size`);
    }
    budget.spend(chunk.length);
    yield chunk;
  }
}
