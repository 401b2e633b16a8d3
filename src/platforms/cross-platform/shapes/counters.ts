import { type TInteger, type TOptional, Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import type { CounterName, Counters } from "#domain/record.ts";

const count = Type.Optional(Type.Integer());

/** Plays are shown as views. */
export type ShownCounter = Exclude<CounterName, "plays">;

/** All optional, so that an unknown counter is omitted instead of being filled with zero. */
const NAMED: Record<ShownCounter, TOptional<TInteger>> = {
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

export const COUNTER_NAMES = Object.keys(NAMED) as ShownCounter[];

export const KnownCounters = wireObject(NAMED, { description: "Known counters by name." });

/** In a fixed order, so that equal counters serialise to equal JSON. */
export function toKnownCounters(counters: Counters): Counters {
  const known: Counters = {};
  for (const name of COUNTER_NAMES) {
    const value = counters[name];
    if (value !== undefined) known[name] = value;
  }
  return known;
}
