/** Parses `--limit`: how many entries of a list to print. */
import { UsageError } from "./command-errors.ts";

export const DEFAULT_LIMIT = 50;

export function parseLimit(text = String(DEFAULT_LIMIT)): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError("--limit must be a whole number from 1");
  return Number(text);
}
