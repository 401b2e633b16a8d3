/**
 * Values that a capture shows only roughly: "26K views", "17 hours ago", the excerpt of a text. A record keeps the margin
 * of each, so that an exact value of any age replaces it; see docs/decisions/0023-approximate-values.md.
 */
import type { CounterName, Counters, Margins } from "./record.ts";

/** A number that may be off by up to `margin`, in its own unit. */
export interface Estimate {
  value: number;
  margin: number;
}

/** The margin of a text or a list of which only an excerpt is known. */
export const EXCERPT = 1;

interface Counted {
  counters: Counters;
  approximate?: Margins;
}

export function counterPath(name: CounterName): string {
  return `counters.${name}`;
}

/** Without those that are only known roughly: a rounded count would show growth that never was. */
export function exactCounters({ counters, approximate }: Counted): Counters {
  if (approximate === undefined) return counters;
  const exact = Object.entries(counters).filter(([name]) => !(counterPath(name as CounterName) in approximate));
  return Object.fromEntries(exact);
}

/** In a response body: the number by default, null for clients that prefer null to what is not known. */
export class Approximate {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  /** Bodies without defaults are serialised as they are. */
  toJSON(): null {
    return null;
  }
}

/** The counter for a response body; null if unknown. */
export function countOf({ counters, approximate }: Counted, name: CounterName): number | Approximate | null {
  const count = counters[name];
  if (count === undefined) return null;
  return approximate?.[counterPath(name)] === undefined ? count : new Approximate(count);
}
