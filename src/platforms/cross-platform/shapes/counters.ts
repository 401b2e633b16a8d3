import { type TInteger, type TOptional, Type } from "typebox";
import { wireObject } from "#api/wire.ts";
import type { CounterName, Counters } from "#domain/record.ts";

const count = Type.Optional(Type.Integer());

/** A counter that was never seen is left out: here no name is promised, so none has to be filled with a zero. */
const NAMED: Record<CounterName, TOptional<TInteger>> = {
  views: count,
  likes: count,
  comments: count,
  shares: count,
  saves: count,
  reposts: count,
  followers: count,
  following: count,
  posts: count,
  friends: count,
  replies: count,
};

export const COUNTER_NAMES = Object.keys(NAMED) as CounterName[];

export const KnownCounters = wireObject(NAMED, { description: "Those that are known, by name." });

/** In one order, whatever the order of capture, so that equal counters are equal text. */
export function toKnownCounters(counters: Counters): Counters {
  const known: Counters = {};
  for (const name of COUNTER_NAMES) {
    const value = counters[name];
    if (value !== undefined) known[name] = value;
  }
  return known;
}
