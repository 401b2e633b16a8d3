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
/** Shorter ones are so many that their keys alone would fill the memory. */
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
  readonly #memory: AnswerTier<Subject> | null = null;
  #file: AnswerTier<Subject> | null = null;
  readonly #failed: AnswerRoom["failed"];
  #stamp = Number.NaN;

  constructor({ memory, file, folder, failed }: AnswerRoom) {
    this.#failed = failed;
    if (memory === 0) return;
    const most = Math.floor((memory * (1 - RING_PART)) / OVERHEAD);
    const bounds = { smallest: 0, largest: memory * LARGEST_PART, most };
    this.#memory = new AnswerTier(new MemoryRing(memory * RING_PART), bounds, this.#asked);
    if (file === 0) return;
    const longBounds = { smallest: LONG, largest: file * LARGEST_PART, most: Math.ceil(file / LONG) };
    const path = join(folder, `answers-${randomUUID()}.tmp`);
    this.#file = new AnswerTier(new FileRing(path, file), longBounds, this.#asked);
  }

  /** The stamp changes whenever something is written to the store. */
  get(key: string, stamp: number): Remembered<Subject> | undefined {
    this.see(stamp);
    this.#asked.count(key);
    return this.#memory?.get(key) ?? this.#inFile((file) => file.get(key));
  }

  /** The stamp is of before the answer was made: what was written meanwhile has made it old. */
  put(key: string, stamp: number, subject: Subject, lasting: Lasting): void {
    if (stamp !== this.#stamp || this.#memory === null) return;
    const layout = layOut(lasting);
    if (!this.#memory.put(key, subject, lasting, layout)) {
      this.#inFile((file) => file.put(key, subject, lasting, layout));
    }
  }

  /** What was kept under another stamp is gone: it may tell of somebody who was erased. */
  see(stamp: number): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#memory?.clear();
    this.#inFile((file) => file.clear());
  }

  get size(): number {
    return (this.#memory?.size ?? 0) + (this.#file?.size ?? 0);
  }

  close(): void {
    this.#memory?.close();
    this.#file?.close();
  }

  /** A disk that is full or broken makes answers slower, and fails none. */
  #inFile<Result>(work: (file: AnswerTier<Subject>) => Result): Result | undefined {
    const file = this.#file;
    if (file === null) return undefined;
    try {
      return work(file);
    } catch (error) {
      this.#file = null;
      this.#failed(error);
      file.close();
      return undefined;
    }
  }
}
