/**
 * Finds the structural characters of JSON (brackets, braces, commas) in bytes that arrive in chunks of any size. Strings
 * and scalars are skipped. It keeps the bytes from `start` on, so that the text of the current value can be read.
 */
import { GrowingBuffer } from "./growing-buffer.ts";

export const NEWLINE = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const COMMA = 44;
export const OPEN_ARRAY = 91;
const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

const IS_STRUCTURAL = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) IS_STRUCTURAL[byte] = 1;

export class JsonScanner {
  readonly buffer = new GrowingBuffer();
  /** Offset of the first byte that is still needed. */
  start = 0;
  /** Offset of the next byte to read. */
  position = 0;
  isInString = false;
  /** The last byte that arrived is a backslash in a string. */
  #isEscaped = false;

  /** Appends a chunk and drops what is before `start`: all offsets move. */
  push(chunk: Buffer): void {
    this.buffer.append(chunk, this.start);
    this.position -= this.start;
    this.start = 0;
  }

  get isAtEnd(): boolean {
    return this.position >= this.buffer.length;
  }

  /** The next byte; 0 at the end. */
  peek(): number {
    return this.isAtEnd ? 0 : (this.buffer.bytes[this.position] ?? 0);
  }

  /**
   * Moves behind the next structural character and returns it; null if the end comes first. Commas before the offset
   * `commasFrom` are skipped: most of them separate members that nobody needs.
   */
  next(commasFrom: number): number | null {
    if (this.isInString) this.leaveString();
    if (this.isInString) return null;
    const { bytes, length } = this.buffer;
    let at = this.position;
    for (;;) {
      while (at < length && IS_STRUCTURAL[bytes[at] ?? 0] === 0) at++;
      if (at >= length) break;
      const byte = bytes[at];
      if (byte === QUOTE) {
        let end = at + 1;
        while (end < length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
        if (end >= length) {
          this.isInString = true;
          this.position = at + 1;
          this.leaveString();
          return null;
        }
        at = end + 1;
      } else if (byte === COMMA && at < commasFrom) at++;
      else {
        this.position = at + 1;
        return byte ?? null;
      }
    }
    this.position = at;
    return null;
  }

  /** Moves behind the string in which the scanner is, or to the end if the string continues in the next chunk. */
  leaveString(): void {
    const { bytes, length } = this.buffer;
    let at = this.#isEscaped ? this.position + 1 : this.position;
    while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#isEscaped = at > length;
    this.isInString = at >= length;
    this.position = Math.min(at + 1, length);
  }

  /** Continues at `offset`, which is outside of any string. */
  rewind(offset: number): void {
    this.start = offset;
    this.position = offset;
    this.isInString = false;
    this.#isEscaped = false;
  }

  isBlank(start: number, end: number): boolean {
    const { bytes } = this.buffer;
    let at = start;
    while (at < end && (bytes[at] ?? 0) <= SPACE) at++;
    return at >= end;
  }
}
