/** How far a copy is: a bar that redraws itself on a terminal, now and then a plain line elsewhere. */
import type { CopyStage } from "#store/copy/copy-store.ts";
import type { Terminal } from "./terminal.ts";

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_CELLS = 24;

export class CopyProgressLine {
  readonly #terminal: Terminal;
  #doing: CopyStage["doing"] = "copying";
  /** When the stage began, and how much an earlier run had done by then. */
  #began: { at: number; rows: number } | null = null;
  #shownAt = performance.now();
  #drawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(stage: CopyStage): void {
    const now = performance.now();
    if (this.#began === null || this.#doing !== stage.doing) this.#began = { at: now, rows: stage.rows };
    this.#doing = stage.doing;
    const width = this.#terminal.width;
    if (now - this.#shownAt < (width === null ? LINE_MS : REDRAW_MS)) return;
    this.#shownAt = now;
    const line = copyLine(stage, stage.rows - this.#began.rows, (now - this.#began.at) / 1000);
    if (width === null) this.#terminal.err(`${line}\n`);
    else {
      this.#terminal.err(`\r\u001b[K${line.slice(0, Math.max(20, width - 1))}`);
      this.#drawn = true;
    }
  }

  /** Before other text is written. */
  clear(): void {
    if (this.#drawn) this.#terminal.err("\r\u001b[K");
    this.#drawn = false;
  }
}

/** `done` rows of this stage took so many seconds. */
export function copyLine({ doing, table, rows, rowsTotal }: CopyStage, done: number, seconds: number): string {
  // A source that grows meanwhile has more than was counted.
  const share = rowsTotal === 0 ? 1 : Math.min(1, rows / rowsTotal);
  const filled = Math.round(share * BAR_CELLS);
  const parts = [
    `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}`,
    `${Math.floor(share * 100)} %`,
    `${rows} of ${rowsTotal} rows`,
  ];
  if (done > 0 && seconds > 0) {
    const rate = done / seconds;
    parts.push(`${Math.round(rate)} rows/s`, `${clock(Math.max(0, rowsTotal - rows) / rate)} left`);
  }
  return [...parts, `${doing} ${table.replaceAll("_", " ")}`].join("  ");
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
