/** Progress on standard error: one line redrawn in place on a terminal, a plain line every few seconds elsewhere. */
import type { Terminal } from "./terminal.ts";

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const ERASE_LINE = "\r\u001b[K";

export class ProgressLine {
  readonly #terminal: Terminal;
  #printedAt = performance.now();
  #isDrawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Called often; the text is only created when it is printed. */
  show(format: () => string): void {
    const now = performance.now();
    const { width, verbosity } = this.#terminal;
    if (verbosity === "quiet") return;
    if (now - this.#printedAt < (width === null ? LINE_MS : REDRAW_MS)) return;
    this.#printedAt = now;
    if (width === null) this.#terminal.err(`${format()}\n`);
    else {
      this.#terminal.err(`${ERASE_LINE}${format().slice(0, Math.max(20, width - 1))}`);
      this.#isDrawn = true;
    }
  }

  /** Call before printing anything else. */
  clear(): void {
    if (this.#isDrawn) this.#terminal.err(ERASE_LINE);
    this.#isDrawn = false;
  }
}
