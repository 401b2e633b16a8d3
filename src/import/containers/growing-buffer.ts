/** Bytes appended at the end and dropped at the front, always in one piece; copying is linear in what passes through. */
export class GrowingBuffer {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Drops everything before `keepFrom`, then appends: positions move down by `keepFrom`. */
  append(chunk: Buffer, keepFrom: number): void {
    const kept = this.#length - keepFrom;
    const needed = kept + chunk.length;
    const roomy = this.#bytes.length > 1024 * 1024 && needed * 8 < this.#bytes.length;
    if (needed > this.#bytes.length || roomy) {
      const larger = Buffer.allocUnsafe(Math.max(64 * 1024, needed * 2));
      this.#bytes.copy(larger, 0, keepFrom, this.#length);
      this.#bytes = larger;
    } else this.#bytes.copyWithin(0, keepFrom, this.#length);
    chunk.copy(this.#bytes, kept);
    this.#length = needed;
  }

  text(from: number, to: number): string {
    return this.#bytes.toString("utf8", from, to);
  }

  copy(from: number, to: number): Buffer {
    return Buffer.from(this.#bytes.subarray(from, to));
  }
}
