import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { Ring } from "./ring.ts";

/**
 * In a file that nobody else can open and that is gone with the process, made when it is first written to. The system
 * keeps what is read often in memory that it has to spare.
 */
export class FileRing extends Ring {
  readonly #path: string;
  #file: number | null = null;
  #room = Buffer.alloc(0);

  constructor(path: string, bytes: number) {
    super(1, bytes);
    this.#path = path;
  }

  protected write(at: number, length: number, fill: (room: Buffer) => void): void {
    const room = this.#roomFor(length);
    fill(room);
    this.#file ??= openUnnamed(this.#path);
    if (writeSync(this.#file, room, 0, length, at) < length) throw new Error(`${this.#path} cannot grow`);
  }

  protected read(at: number, length: number): Buffer {
    const room = this.#roomFor(length);
    if (this.#file === null || readSync(this.#file, room, 0, length, at) < length) {
      throw new Error(`${this.#path} is shorter than it was`);
    }
    return room;
  }

  clear(): void {
    if (this.#file !== null) ftruncateSync(this.#file);
  }

  close(): void {
    const file = this.#file;
    this.#file = null;
    try {
      if (file !== null) closeSync(file);
    } catch {
      // What could not be written to the end is nobody's loss: the file is gone.
    }
  }

  #roomFor(length: number): Buffer {
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    return this.#room.subarray(0, length);
  }
}

function openUnnamed(path: string): number {
  const file = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return file;
}
