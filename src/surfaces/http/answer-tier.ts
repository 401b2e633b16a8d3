/**
 * Answers in a ring. When it is full, a new answer takes the place of others only if it is asked for again, and they no
 * more often than it: most addresses are asked for once.
 */
import type { Frequencies } from "./frequencies.ts";
import { type Kept, type Lasting, type Layout, Remembered, writeInto } from "./remembered.ts";
import type { Ring } from "./ring.ts";

/** Little of an answer is an object: the engine looks at all objects now and then, while callers wait. */
interface Entry<Subject> extends Kept<Subject> {
  key: string;
  place: number;
  length: number;
  /** The one behind it in the ring. */
  next: Entry<Subject> | null;
}

/** Of the oldest, this many stay for being asked for more than a newcomer, until it is given up. */
const SPARED = 2;

export interface TierBounds {
  /** Of an answer, in bytes. */
  smallest: number;
  largest: number;
  /** Answers. */
  most: number;
}

export class AnswerTier<Subject> {
  readonly #ring: Ring;
  readonly #bounds: TierBounds;
  readonly #asked: Frequencies;
  readonly #entries = new Map<string, Entry<Subject>>();
  /** As they lie in the ring; one that was replaced holds its room until all before it are gone. */
  #oldest: Entry<Subject> | null = null;
  #newest: Entry<Subject> | null = null;

  constructor(ring: Ring, bounds: TierBounds, asked: Frequencies) {
    this.#ring = ring;
    this.#bounds = { ...bounds, largest: Math.min(bounds.largest, ring.sheetBytes) };
    this.#asked = asked;
  }

  get(key: string): Remembered<Subject> | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : new Remembered(entry, this.#ring.get(entry.place, entry.length));
  }

  /** False if there is no room for it here. */
  put(key: string, subject: Subject, lasting: Lasting, layout: Layout): boolean {
    const { length, head, cut } = layout;
    const { smallest, largest } = this.#bounds;
    if (length < smallest || length > largest || !this.#makeRoom(length, this.#asked.of(key))) return false;
    const { etag, lines, body } = lasting;
    const place = this.#ring.put(length, (room) => writeInto(room, layout, lasting));
    this.#add({
      key: ownText(key),
      subject,
      etag: ownText(etag),
      encoding: "encoding" in body ? body.encoding : null,
      linesLength: lines.length,
      headLength: head.length,
      cut,
      between: "encoding" in body ? [] : body.between,
      place,
      length,
      next: null,
    });
    return true;
  }

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    if (this.#oldest === null) return;
    this.#entries.clear();
    this.#oldest = null;
    this.#newest = null;
    this.#ring.clear();
  }

  close(): void {
    this.#ring.close();
  }

  /** The oldest go unless they are asked for more than the newcomer: then they get another round. */
  #makeRoom(length: number, often: number): boolean {
    for (let spared = 0; !this.#hasRoom(length);) {
      // What is asked for once takes nobody's place.
      if (often < 2 || spared === SPARED) return false;
      const entry = this.#takeOldest();
      this.#entries.delete(entry.key);
      if (this.#asked.of(entry.key) <= often || !this.#hasRoom(entry.length)) continue;
      const bytes = this.#ring.get(entry.place, entry.length);
      entry.place = this.#ring.put(entry.length, (room) => bytes.copy(room));
      this.#add(entry);
      spared++;
    }
    return true;
  }

  #hasRoom(length: number): boolean {
    while (this.#oldest !== null && this.#entries.get(this.#oldest.key) !== this.#oldest) this.#takeOldest();
    if (this.#oldest === null) return true;
    const end = this.#ring.placeFor(length) + length;
    return this.#entries.size < this.#bounds.most && end - this.#oldest.place <= this.#ring.capacity;
  }

  #takeOldest(): Entry<Subject> {
    const entry = this.#oldest as Entry<Subject>;
    this.#oldest = entry.next;
    if (this.#oldest === null) this.#newest = null;
    entry.next = null;
    return entry;
  }

  #add(entry: Entry<Subject>): void {
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.next = entry;
    this.#newest = entry;
    this.#entries.set(entry.key, entry);
  }
}

/** A text of its own, not put together from others or cut out of one. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}
