/** How far an import is: a bar that redraws itself on a terminal, now and then a plain line elsewhere. */
import { basename } from "node:path";
import type { Progress } from "#import/import-files.ts";
import type { Terminal } from "./terminal.ts";

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_CELLS = 24;

export class ImportProgress {
  readonly #terminal: Terminal;
  readonly #startedAt = performance.now();
  #shownAt = performance.now();
  #drawn = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(progress: Progress): void {
    const now = performance.now();
    const width = this.#terminal.width;
    if (now - this.#shownAt < (width === null ? LINE_MS : REDRAW_MS)) return;
    this.#shownAt = now;
    const line = progressLine(progress, (now - this.#startedAt) / 1000);
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

export function progressLine({ file, bytesRead, bytesTotal, records }: Progress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(records / seconds) : 0;
  const parts = [`${records} records`, `${rate} records/s`];
  if (bytesTotal === null || bytesTotal === 0) return [basename(file), bytes(bytesRead), ...parts].join("  ");
  const share = Math.min(1, bytesRead / bytesTotal);
  const filled = Math.round(share * BAR_CELLS);
  const left = share > 0.01 ? `${clock((seconds / share) * (1 - share))} left` : "";
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}`;
  return [
    bar,
    `${Math.floor(share * 100)} %`,
    `${bytes(bytesRead)} of ${bytes(bytesTotal)}`,
    ...parts,
    left,
    basename(file),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
