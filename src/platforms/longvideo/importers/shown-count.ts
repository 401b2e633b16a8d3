/** Counts as the page rounds them, in what tools wrote of it. */
import type { Measured } from "#import/capture/estimates.ts";
import { readCount } from "#import/capture/field-readers.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";

/**
 * yt-dlp writes "50K views" as 50000, so a count may be rounded if it has no more digits than the page shows: at least
 * `digits`, and all before the decimal point.
 */
export function readShownCount(value: unknown, digits: number): Measured | undefined {
  const count = readCount(value);
  if (count === undefined || count < 1e3) return count;
  const unit = count < 1e6 ? 1e3 : count < 1e9 ? 1e6 : 1e9;
  const margin = Math.min(unit, 10 ** (String(count).length - digits));
  return count % margin === 0 ? { value: count, margin } : count;
}

/** `1.2M` or `1.2M views`: an estimate. */
export function readRounded(cell: unknown): Measured | undefined {
  return typeof cell === "string" && /\d\s?[A-Za-z]+(?: [A-Za-z]+)?$/.test(cell) ? readDisplayedCount(cell) : undefined;
}
