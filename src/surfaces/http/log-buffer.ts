/**
 * Gathers request lines, which are many, and hands them on in one piece: when there are enough, when some time has gone,
 * or before any other line, so that the log stays in order. Other lines are rare and wanted at once.
 */

/** Of pino's destination, which writes behind: opened with a `minLength`, or `flushSync` finds it writing at the end. */
export interface LogDestination {
  write(text: string): unknown;
  flush(): void;
  flushSync(): void;
}

const PIECE_LENGTH = 65_536;
const FLUSH_EVERY_MS = 250;

export class LogBuffer {
  readonly #destination: LogDestination;
  readonly #timer: NodeJS.Timeout;
  /** Bytes: texts put together from parts would be kept in all these parts, and moved about by the engine. */
  readonly #lines: Buffer;
  #length = 0;
  #closed = false;

  /** Several processes that write to one pipe need pieces of 4,096: the system keeps only these whole. */
  constructor(destination: LogDestination, pieceLength = PIECE_LENGTH) {
    this.#destination = destination;
    this.#lines = Buffer.allocUnsafeSlow(pieceLength);
    this.#timer = setInterval(() => this.flush(), FLUSH_EVERY_MS);
    this.#timer.unref();
    process.on("exit", this.#flushAtExit);
  }

  /** Takes a line that may wait. */
  add(line: string): void {
    // Before it grows too long: only so much is written in one piece.
    const length = Buffer.byteLength(line);
    if (this.#length + length > this.#lines.length) this.#handOn();
    if (length > this.#lines.length) this.#destination.write(line);
    else this.#length += this.#lines.write(line, this.#length);
    if (this.#closed) this.flush();
  }

  /** Takes a line that may not: this is what pino writes to. */
  write(line: string): void {
    this.#handOn();
    this.#destination.write(line);
    this.#destination.flush();
  }

  /** Also when nothing waits here: the destination keeps what it is given while it writes. */
  flush(): void {
    this.#handOn();
    this.#destination.flush();
  }

  /** What comes after it does not wait. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    process.off("exit", this.#flushAtExit);
    this.flush();
  }

  #handOn(): void {
    if (this.#length === 0) return;
    const lines = this.#lines.toString("utf8", 0, this.#length);
    this.#length = 0;
    this.#destination.write(lines);
  }

  readonly #flushAtExit = () => {
    if (this.#length === 0) return;
    this.#handOn();
    this.#destination.flushSync();
  };
}
