/** Takes estimates apart while a record is collected: the values go into its fields, the margins into `approximate`. */
import { counterPath, type Estimate } from "#domain/approximate.ts";
import type { CounterName, Counters, Margins } from "#domain/record.ts";

/** Exact, or an estimate. */
export type Measured = number | Estimate;

export function withoutMargin(measured: Measured | undefined): number | undefined {
  return typeof measured === "object" ? measured.value : measured;
}

export type MeasuredCounters = { [Name in CounterName]?: Measured | undefined };

export class Estimates {
  readonly #margins: Margins = {};

  /** Undefined if all values are exact. */
  get margins(): Margins | undefined {
    return Object.keys(this.#margins).length === 0 ? undefined : this.#margins;
  }

  add(path: string, margin: number): void {
    if (margin > 0) this.#margins[path] = margin;
  }

  value(path: string, measured: Measured | undefined): number | undefined {
    if (measured === undefined || typeof measured === "number") return measured;
    this.add(path, measured.margin);
    return measured.value;
  }

  counters(measured: MeasuredCounters): Counters {
    const counters: Counters = {};
    for (const name of Object.keys(measured) as CounterName[]) {
      const count = this.value(counterPath(name), measured[name]);
      if (count !== undefined) counters[name] = count;
    }
    return counters;
  }
}
