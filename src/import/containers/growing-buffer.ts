/** A contiguous buffer: bytes are appended at the end and dropped at the front. Copying is linear in the total input. */
export class GrowingBuffer {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Drops everything before `start`, then appends: offsets decrease by `start`. */
  append(chunk: Buffer, start: number): void {
    const remaining = this.#length - start;
    const needed = remaining + chunk.length;
    const isOversized = this.#bytes.length > 1024 * 1024 && needed * 8 < this.#bytes.length;
    if (needed > this.#bytes.length || isOversized) {
      const replacement = Buffer.allocUnsafe(Math.max(64 * 1024, needed * 2));
      this.#bytes.copy(replacement, 0, start, this.#length);
      this.#bytes = replacement;
    } else this.#bytes.copyWithin(0, start, this.#length);
    chunk.copy(this.#bytes, remaining);
    this.#length = needed;
  }

  text(from: number, to: number): string {
    return this.#bytes.toString("utf8", from, to);
  }

  copy(from: number, to: number): Buffer {
    return Buffer.from(this.#bytes.subarray(from, to));
  }
}
