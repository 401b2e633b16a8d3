import { Ring } from "./ring.ts";

/** Large, and taken when they are first written to: the engine has nothing of them to look through. */
const SHEET_BYTES = 16 * 1024 * 1024;

export class MemoryRing extends Ring {
  readonly #sheets: Buffer[] = [];

  /** About as many bytes: whole sheets. */
  constructor(bytes: number) {
    const sheetBytes = Math.min(SHEET_BYTES, Math.ceil(bytes));
    super(Math.max(1, Math.floor(bytes / sheetBytes)), sheetBytes);
  }

  protected write(at: number, length: number, fill: (room: Buffer) => void): void {
    fill(this.read(at, length));
  }

  protected read(at: number, length: number): Buffer {
    const sheet = Math.floor(at / this.sheetBytes);
    const bytes = (this.#sheets[sheet] ??= Buffer.allocUnsafeSlow(this.sheetBytes));
    const begin = at % this.sheetBytes;
    return bytes.subarray(begin, begin + length);
  }

  clear(): void {
    // Written over as the ring goes on.
  }

  close(): void {
    this.#sheets.length = 0;
  }
}
