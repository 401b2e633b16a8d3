/**
 * Answers that may be asked for again, kept while nothing is written to the store: a commit by anybody makes all of them
 * old, and an old one is made anew when it is asked for again. Bounded in bytes. When it is full, a new answer takes the
 * place of others only if it is asked for again, and they no more often than it: most addresses are asked for once.
 */
import type { Lasting } from "./answer-making.ts";

export interface Remembered<Subject> extends Lasting {
  subject: Subject;
  stamp: number;
  /** In bytes. */
  size: number;
}

/** What an entry costs beside key and text: headers, the objects themselves. */
const OVERHEAD = 550;
/** No single answer takes more of the memory than this part. */
const LARGEST_PART = 1 / 16;
/** Of the oldest, this many are looked at to find one that is asked for less than a newcomer. */
const COMPARED = 4;

export class AnswerMemory<Subject> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Remembered<Subject>>();
  readonly #asked = new Frequencies();
  #bytes = 0;

  /** In bytes; 0 remembers nothing. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string, stamp: number): Remembered<Subject> | undefined {
    if (this.#capacity === 0) return undefined;
    this.#asked.count(key);
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.stamp === stamp ? entry : undefined;
  }

  /** The stamp is of before the answer was made: what was written meanwhile makes it old. */
  put(key: string, stamp: number, subject: Subject, lasting: Lasting): void {
    const held = this.#entries.get(key);
    const size = sizeOf(key, lasting);
    if (size > this.#capacity * LARGEST_PART) return;
    if (held !== undefined) this.#drop(key, held);
    else if (!this.#makeRoom(size, this.#asked.of(key))) return;
    this.#entries.set(flat(key), { ...copyOf(lasting), subject, stamp, size });
    this.#bytes += size;
  }

  /** To be told when an answer that is remembered was compressed: then it is kept in both forms. */
  measure(key: string, entry: Remembered<Subject>): void {
    if (this.#entries.get(key) !== entry) return;
    const size = sizeOf(key, entry);
    this.#bytes += size - entry.size;
    entry.size = size;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The oldest go unless they are asked for more than the newcomer: then they get another round. */
  #makeRoom(size: number, often: number): boolean {
    // What is asked for once takes nobody's place.
    if (often < 2) return this.#bytes + size <= this.#capacity;
    let compared = 0;
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + size <= this.#capacity) return true;
      if (compared++ === COMPARED) return false;
      this.#drop(key, entry);
      if (this.#asked.of(key) <= often) continue;
      this.#entries.set(key, entry);
      this.#bytes += entry.size;
    }
    return this.#bytes + size <= this.#capacity;
  }

  #drop(key: string, entry: Remembered<Subject>): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}

/**
 * How often keys were counted of late, roughly: a key has two places that others may share, and the lower of the two counts
 * is closer to the truth. All counts are halved now and then, so that what was popular last week makes room.
 */
class Frequencies {
  readonly #counts = new Uint8Array(PLACES);
  #counted = 0;

  count(key: string): void {
    const hash = hashOf(key);
    this.#raise(hash & LAST_PLACE);
    this.#raise((hash >>> 12) & LAST_PLACE);
    if (++this.#counted < HALVED_AFTER) return;
    this.#counted = 0;
    for (let at = 0; at < PLACES; at++) this.#counts[at] = (this.#counts[at] as number) >> 1;
  }

  of(key: string): number {
    const hash = hashOf(key);
    return Math.min(this.#counts[hash & LAST_PLACE] as number, this.#counts[(hash >>> 12) & LAST_PLACE] as number);
  }

  #raise(place: number): void {
    const count = this.#counts[place] as number;
    if (count < 255) this.#counts[place] = count + 1;
  }
}

/** Many times as many as there are answers in the memory: what is asked for once must not look as if it were asked for again. */
const PLACES = 2 ** 20;
const LAST_PLACE = PLACES - 1;
const HALVED_AFTER = 2 ** 18;

/** FNV-1a. Addresses differ at their ends: that much of one is enough. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5 ^ key.length;
  for (let at = Math.max(0, key.length - 32); at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}

/** From here on, copying a text into what is sent costs more than sending its bytes beside the head. */
const LONG = 8_192;

/**
 * Few and plain objects: the engine looks at all of them now and then, while callers wait. None is part of what the answer
 * was made of but its text: of a place in the code where much is made that lasts, the engine soon expects that all does,
 * and would keep what every answer was made of for long.
 */
function copyOf({ pieces, etag, headers, lines, length }: Lasting): Lasting {
  const kept = { etag: flat(etag), headers: NONE, lines: flat(lines + linesOf(headers)), length, packed: null };
  if (length < LONG) return { ...kept, pieces: pieces.map(flat), bytes: null };
  return { ...kept, pieces: NO_TEXT, bytes: Buffer.from(pieces[0] as string) };
}

const NONE: readonly string[] = [];
const NO_TEXT: readonly string[] = [""];

function linesOf(headers: readonly string[]): string {
  let lines = "";
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

/** A text of its own, not put together from others or cut out of one. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}

/** The engine takes a byte a character where all are below 256, else two; which it is cannot be asked cheaply. */
function sizeOf(key: string, { pieces, length, bytes, packed }: Lasting): number {
  const characters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const text = bytes !== null || length === characters ? length : 2 * characters;
  return OVERHEAD + key.length + text + (packed?.bytes.length ?? 0);
}
