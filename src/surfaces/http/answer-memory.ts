/**
 * Answers that were asked for more than once, kept while nothing is written to the store: a commit by anybody makes all
 * of them old, and an old one is made anew when it is asked for again. Bounded in bytes; what is asked for stays.
 */
import type { Lasting } from "./answer-making.ts";

export interface Remembered<Subject> extends Lasting {
  subject: Subject;
  stamp: number;
  /** Asked for since it was last weighed against others. */
  used: boolean;
  /** In bytes. */
  size: number;
}

/** What an entry costs beside its text: key, headers, the objects themselves; and its text once more, compressed. */
const OVERHEAD = 700;
const PACKED = 1.25;
/** Places for addresses that were asked for once; a power of two. */
const ONCE_PLACES = 16_384;

export class AnswerMemory<Subject> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Remembered<Subject>>();
  #bytes = 0;
  /**
   * Hashes of addresses that were asked for once of late: most are never asked for again, and need no room. That two
   * hash alike, or one takes the other's place, only makes an answer remembered sooner or later.
   */
  readonly #once = new Uint32Array(ONCE_PLACES);

  /** In bytes; 0 remembers nothing. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, stamp: number): Remembered<Subject> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.stamp !== stamp) return undefined;
    entry.used = true;
    return entry;
  }

  /** The stamp is of before the answer was made: what was written meanwhile makes it old. */
  put(key: string, stamp: number, subject: Subject, lasting: Lasting): void {
    if (this.#capacity === 0) return;
    const held = this.#entries.get(key);
    if (held === undefined && !this.#isAskedAgain(key)) return;
    if (held !== undefined) this.#drop(key, held);
    const size = OVERHEAD + 2 * key.length + PACKED * lasting.pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
    if (size > this.#capacity / 16) return;
    this.#entries.set(key, { ...lasting, ...inBytes(lasting), subject, stamp, used: false, size });
    this.#bytes += size;
    this.#makeRoom();
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  #isAskedAgain(key: string): boolean {
    const hash = hashOf(key);
    const place = hash & (ONCE_PLACES - 1);
    if (this.#once[place] === hash) return true;
    this.#once[place] = hash;
    return false;
  }

  /** The oldest go, but what was used since it was last looked at gets another round. */
  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#capacity) return;
      this.#drop(key, entry);
      if (!entry.used) continue;
      entry.used = false;
      this.#entries.set(key, entry);
      this.#bytes += entry.size;
    }
  }

  #drop(key: string, entry: Remembered<Subject>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}

/** From here on, copying a text into what is sent costs more than sending the bytes beside its head. */
const LONG = 8_192;

function inBytes({ pieces }: Lasting): Pick<Lasting, "pieces" | "bytes"> {
  const [text = "", ...others] = pieces;
  if (others.length > 0 || text.length < LONG) return { pieces, bytes: null };
  return { pieces: [""], bytes: Buffer.from(text) };
}

/** FNV-1a. Addresses differ at their ends: that much of one is enough. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5 ^ key.length;
  for (let at = Math.max(0, key.length - 40); at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The engine takes a byte a character where all are below 256, else two; which it is cannot be asked cheaply. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;
}
