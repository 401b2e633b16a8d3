import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { fromNames } from "#domain/from-names.ts";
import { COUNTER_NAMES, type CounterName, type Counters } from "#domain/record.ts";

const count = Type.Optional(Type.Integer());

/** Plays are shown as views. */
export type ShownCounter = Exclude<CounterName, "plays">;

const isShown = (name: CounterName): name is ShownCounter => name !== "plays";
export const SHOWN_COUNTERS = COUNTER_NAMES.filter(isShown);

/** All optional, so that an unknown counter is omitted instead of being filled with zero. */
export const KnownCounters = wireObject(
  fromNames(SHOWN_COUNTERS, () => count),
  { description: "Known counters by name." },
);

/** In a fixed order, so that equal counters serialise to equal JSON. */
export function toKnownCounters(counters: Counters): Counters {
  const known: Counters = {};
  for (const name of SHOWN_COUNTERS) {
    const value = counters[name];
    if (value !== undefined) known[name] = value;
  }
  return known;
}
