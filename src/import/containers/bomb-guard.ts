/**
 * Guards against bombs. A `Budget` belongs to one named file and counts all that is unfolded from it, so that a
 * thousand small bombs in one archive, or a bomb in a bomb, cost no more than one.
 */
import type { Refusal } from "#api/refusals.ts";
import type { Bytes } from "./byte-stream.ts";
import { type SizeLimits, sizeText } from "./size-limits.ts";
import { UnreadableError } from "./unreadable-error.ts";

export class Budget {
  readonly #limits: SizeLimits;
  /** Bytes consumed of the named file so far. */
  readonly #consumed: () => number;
  readonly #onBytes: ((count: number) => void) | undefined;
  #produced = 0;
  #exhausted: Refusal | undefined;

  constructor(limits: SizeLimits, consumed: () => number, onBytes?: (count: number) => void) {
    this.#limits = limits;
    this.#consumed = consumed;
    this.#onBytes = onBytes;
  }

  /** Why nothing more may be unfolded from this file; absent while something may. */
  get exhausted(): Refusal | undefined {
    return this.#exhausted;
  }

  spend(bytes: number): void {
    this.#produced += bytes;
    this.#onBytes?.(bytes);
    if (this.#exhausted !== undefined) throw new UnreadableError(this.#exhausted);
    const { outputBytes, ratio, archiveRatioFromBytes } = this.#limits;
    if (this.#produced > outputBytes) {
      this.#exhausted = `expands_too_much: to more than ${sizeText(outputBytes)}`;
    } else if (this.#produced > archiveRatioFromBytes && this.#produced > ratio * this.#consumed()) {
      this.#exhausted = `expands_too_much: as a whole to more than ${ratio} times its size`;
    }
    if (this.#exhausted !== undefined) throw new UnreadableError(this.#exhausted);
  }
}

/** Passes decompressed bytes on as long as they stay within the budget and in proportion to what went in. */
export async function* guarded(
  output: Bytes,
  fed: () => number,
  budget: Budget,
  limits: SizeLimits,
): AsyncGenerator<Buffer> {
  let produced = 0;
  for await (const chunk of output) {
    produced += chunk.length;
    if (produced > limits.ratioFromBytes && produced > limits.ratio * fed()) {
      throw new UnreadableError(`expands_too_much: to more than ${limits.ratio} times its size`);
    }
    budget.spend(chunk.length);
    yield chunk;
  }
}
