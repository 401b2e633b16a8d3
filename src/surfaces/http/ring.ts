/**
 * Pieces of bytes, one behind the other; at the end of its room a ring goes on at the beginning, over what was oldest.
 * Places count on for ever: one that is smaller is older. What is read stands until the ring is used again.
 */
export abstract class Ring {
  readonly capacity: number;
  /** No piece goes over the edge of a sheet. */
  readonly sheetBytes: number;
  #next = 0;

  constructor(sheets: number, sheetBytes: number) {
    this.capacity = sheets * sheetBytes;
    this.sheetBytes = sheetBytes;
  }

  /** Where a piece of this length would begin. */
  placeFor(length: number): number {
    const left = this.sheetBytes - (this.#next % this.sheetBytes);
    return length <= left ? this.#next : this.#next + left;
  }

  /** Takes a piece that is written by `fill`, and says where it is. */
  put(length: number, fill: (room: Buffer) => void): number {
    const place = this.placeFor(length);
    this.#next = place + length;
    this.write(place % this.capacity, length, fill);
    return place;
  }

  get(place: number, length: number): Buffer {
    return this.read(place % this.capacity, length);
  }

  protected abstract write(at: number, length: number, fill: (room: Buffer) => void): void;
  protected abstract read(at: number, length: number): Buffer;
  /** Nothing that was put is there any more. */
  abstract clear(): void;
  abstract close(): void;
}
