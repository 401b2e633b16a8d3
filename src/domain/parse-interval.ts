/** `30m`, `6h`, `1d` as milliseconds; null for anything else, and for what is too short or too long. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MIN_MS = 5 * 60_000;
const MAX_MS = 365 * 86_400_000;

export function parseInterval(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,4})([mhd])$/.exec(text.trim().toLowerCase()) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms >= MIN_MS && ms <= MAX_MS ? ms : null;
}

export function formatInterval(ms: number): string {
  // From the longest.
  for (const [unit, size] of Object.entries(UNITS).toReversed()) if (ms % size === 0) return `${ms / size}${unit}`;
  return `${Math.round(ms / 60_000)}m`;
}
