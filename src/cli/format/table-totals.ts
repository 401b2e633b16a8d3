/** Rows and checksums by table, and the progress of reading or writing them. */
import type { BackupSeal } from "#export/backup-file.ts";
import type { TableTotals } from "#export/totals.ts";
import { ProgressLine } from "../progress-line.ts";
import type { Terminal } from "../terminal.ts";
import { formatTable } from "./table.ts";

/** Enough digits to compare by eye; JSON has all. */
const CHECKSUM_DIGITS = 16;

export function formatTotals(tables: TableTotals): string {
  const rows = Object.entries(tables).map(([table, { rows: count, sum }]) => [
    table.replace("_", " "),
    String(count),
    sum.slice(0, CHECKSUM_DIGITS),
  ]);
  return formatTable([["", "rows", "checksum"], ...rows]);
}

const SEALS: Record<BackupSeal, string> = {
  here: "sealed by this installation",
  elsewhere: "its seal is not of this installation: it has another pepper, or the file was changed",
  unchecked: "sealed, not checked: the pepper is not here",
  none: "not sealed",
};

export function describeSeal(seal: BackupSeal): string {
  return SEALS[seal];
}

export function countRows(tables: TableTotals): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** Runs the work with a progress line of the rows it reports. */
export async function withRowProgress<Result>(
  terminal: Terminal,
  work: (onRows: (table: string, rows: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = new ProgressLine(terminal);
  const start = performance.now();
  let total = 0;
  try {
    return await work((table, rows) => {
      total += rows;
      progress.show(() => {
        const rate = Math.round((total * 1000) / (performance.now() - start));
        return `${total} rows  ${rate} rows/s  ${table.replace("_", " ")}`;
      });
    });
  } finally {
    progress.clear();
  }
}
