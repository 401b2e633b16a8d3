/** The progress of an import as one line. */
import { basename } from "node:path";
import type { Progress } from "#import/import-files.ts";

const BAR_CELLS = 24;

export function formatImportProgress({ file, bytesRead, bytesTotal, records }: Progress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(records / seconds) : 0;
  const counts = [`${records} records`, `${rate} records/s`];
  if (bytesTotal === null || bytesTotal === 0) return [basename(file), formatBytes(bytesRead), ...counts].join("  ");
  const share = Math.min(1, bytesRead / bytesTotal);
  const left = share > 0.01 ? [`${formatDuration((seconds / share) * (1 - share))} left`] : [];
  return [
    formatShare(share),
    `${formatBytes(bytesRead)} of ${formatBytes(bytesTotal)}`,
    ...counts,
    ...left,
    basename(file),
  ].join("  ");
}

function formatShare(share: number): string {
  const filled = Math.round(share * BAR_CELLS);
  return `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}  ${Math.floor(share * 100)} %`;
}

export function formatBytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
