/** Counts that yt-dlp reads from the page's rounded text and writes as plain numbers. */
import type { Measured } from "#import/capture/estimates.ts";
import { readCount } from "#import/capture/field-readers.ts";

/**
 * "50K views" comes as 50000, so a count may be rounded if it has no more digits than the page shows: at least `digits`,
 * and all before the decimal point.
 */
export function readShownCount(value: unknown, digits: number): Measured | undefined {
  const count = readCount(value);
  if (count === undefined || count < 1e3) return count;
  const unit = count < 1e6 ? 1e3 : count < 1e9 ? 1e6 : 1e9;
  const margin = Math.min(unit, 10 ** (String(count).length - digits));
  return count % margin === 0 ? { value: count, margin } : count;
}
