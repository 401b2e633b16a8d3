/**
 * Answers that may be asked for again, kept while nothing is written to the store: a commit by anybody makes all of them
 * old. Those that find no room in memory and are long lie in a file, from where they are still given in a fraction of the
 * time that it takes to make them.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { AnswerTier } from "./answer-tier.ts";
import { FileRing } from "./file-ring.ts";
import { Frequencies } from "./frequencies.ts";
import { MemoryRing } from "./memory-ring.ts";
import { type Lasting, layOut, type Remembered } from "./remembered.ts";

/** Of the memory, for bytes of answers; the rest is for keys and objects. */
const RING_PART = 0.8;
/** What an answer costs beside its bytes: its key, its tag, the objects themselves. */
const OVERHEAD = 350;
/** No single answer takes more of the room than this part. */
const LARGEST_PART = 1 / 32;
/** Shorter ones are made in hardly more time than it takes to read them; and they are so many that they are not worth their keys. */
const LONG = 16_384;

export interface AnswerRoom {
  /** In bytes; 0 remembers nothing. */
  memory: number;
  /** In bytes, of a file in a folder; 0 for none. */
  file: number;
  folder: string;
  /** Told when the file fails: then it is done without. */
  failed: (error: unknown) => void;
}

export class AnswerMemory<Subject> {
  readonly #asked = new Frequencies();
  /** From the quickest on. */
  readonly #tiers: AnswerTier<Subject>[] = [];
  #stamp = Number.NaN;

  readonly #failed: AnswerRoom["failed"];

  constructor({ memory, file, folder, failed }: AnswerRoom) {
    this.#failed = failed;
    if (memory === 0) return;
    const most = Math.floor((memory * (1 - RING_PART)) / OVERHEAD);
    const bounds = { smallest: 0, largest: memory * LARGEST_PART, most };
    this.#tiers.push(new AnswerTier(new MemoryRing(memory * RING_PART), bounds, this.#asked));
    if (file === 0) return;
    const longBounds = { smallest: LONG, largest: file * LARGEST_PART, most: Math.ceil(file / LONG) };
    const path = join(folder, `answers-${randomUUID()}.tmp`);
    this.#tiers.push(new AnswerTier(new FileRing(path, file), longBounds, this.#asked));
  }

  /** The stamp changes whenever something is written to the store. */
  get(key: string, stamp: number): Remembered<Subject> | undefined {
    this.see(stamp);
    this.#asked.count(key);
    return this.#orWithout(() => {
      for (const tier of this.#tiers) {
        const found = tier.get(key);
        if (found !== undefined) return found;
      }
      return undefined;
    });
  }

  /** The stamp is of before the answer was made: what was written meanwhile has made it old. */
  put(key: string, stamp: number, subject: Subject, lasting: Lasting): void {
    if (stamp !== this.#stamp) return;
    const layout = layOut(lasting);
    this.#orWithout(() => this.#tiers.some((tier) => tier.put(key, subject, lasting, layout)));
  }

  /** What was kept under another stamp is gone: it may tell of somebody who was erased. */
  see(stamp: number): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#orWithout(() => this.#tiers.forEach((tier) => tier.clear()));
  }

  get size(): number {
    return this.#tiers.reduce((sum, tier) => sum + tier.size, 0);
  }

  close(): void {
    for (const tier of this.#tiers.splice(0)) tier.close();
  }

  /** A disk that is full or broken makes answers slower, and fails none. */
  #orWithout<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      for (const tier of this.#tiers.splice(1)) tier.close();
      this.#failed(error);
      return undefined;
    }
  }
}
