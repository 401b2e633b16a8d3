/**
 * Values that a capture shows only roughly: "26K views", "17 hours ago", the excerpt of a text. A record keeps the margin
 * of each, so that an exact value of any age replaces it; see docs/decisions/0023-approximate-values.md.
 */
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { CounterName, CounterPoint, Counters, Margins, PlatformName } from "./record.ts";

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

/** Where some responses have rounded counts and nothing marks them: of TikTok `stats`, and at times even `statsV2`. */
const ROUNDING_PLATFORMS: ReadonlySet<PlatformName> = new Set(["shortvideo"]);

function hasRoundedCounts(platform: PlatformName): boolean {
  return ROUNDING_PLATFORMS.has(platform);
}

/** Lower counts are shown as they are. */
const LEAST_ROUNDED = 10_000;

/** Whether a count that is captured again may have grown in between. */
export function mayHideGrowth(platform: PlatformName, count: number): boolean {
  return hasRoundedCounts(platform) && count >= LEAST_ROUNDED;
}

/** Whether the count may be the other one as the platform rounds it: to one decimal of K, M or B. */
function isRounded(platform: PlatformName, count: number | undefined, exact: number | undefined): boolean {
  if (count === exact || exact === undefined || exact < LEAST_ROUNDED || !hasRoundedCounts(platform)) return false;
  const step = (exact < 1e6 ? 1e3 : exact < 1e9 ? 1e6 : 1e9) / 10;
  return count === Math.round(exact / step) * step;
}

/** The counters, with those exact that are the other ones rounded. */
export function withExactCounts(platform: PlatformName, counters: Counters, exact: Counters): Counters {
  const result = { ...counters };
  for (const name of Object.keys(counters) as CounterName[]) {
    const count = exact[name];
    if (count !== undefined && isRounded(platform, counters[name], count)) result[name] = count;
  }
  return result;
}

export interface StoredPoint {
  capturedAt: number;
  counters: JsonText<Counters>;
}

/**
 * All captures, oldest first. A count that is the one before it rounded, or else the one after it, is shown as that one.
 */
export function exactCaptures(platform: PlatformName, captured: readonly StoredPoint[]): CounterPoint[] {
  const points = ofOneMeasure(
    captured.map(({ capturedAt, counters }) => ({ capturedAt, counters: parseJsonText(counters) })),
  );
  if (!hasRoundedCounts(platform)) return points;
  for (const inTurn of [points, points.toReversed()]) {
    const beside: Counters = {};
    for (const point of inTurn) {
      point.counters = withExactCounts(platform, point.counters, beside);
      Object.assign(beside, point.counters);
    }
  }
  return points;
}

/** A history with plays in one capture is of plays: the views of other captures are left out. */
function ofOneMeasure(points: CounterPoint[]): CounterPoint[] {
  if (!points.some(({ counters }) => counters.plays !== undefined)) return points;
  return points.flatMap(({ capturedAt, counters: { views: _views, plays, ...others } }) => {
    const counters = plays === undefined ? others : { views: plays, ...others };
    return Object.keys(counters).length === 0 ? [] : [{ capturedAt, counters }];
  });
}

/** The history as it is shown: without captures that repeat the one before them. */
export function exactHistory(platform: PlatformName, captured: readonly StoredPoint[]): CounterPoint[] {
  const points = exactCaptures(platform, captured);
  const texts = points.map(({ counters }) => JSON.stringify(counters));
  return points.filter((_, index) => texts[index] !== texts[index - 1]);
}

/** The counters that are those of the other record rounded, or views beside its plays, as margins: the others are to win. */
export function weakerCounters(platform: PlatformName, { counters }: Counted, other: Counted): Margins {
  const exact = exactCounters(other);
  const isBesidePlays = exact.plays !== undefined && counters.plays === undefined;
  const isWeaker = (name: CounterName) =>
    (name === "views" && isBesidePlays) || isRounded(platform, counters[name], exact[name]);
  const names = (Object.keys(counters) as CounterName[]).filter(isWeaker);
  return Object.fromEntries(names.map((name) => [counterPath(name), 1]));
}

/** In a response body: the value by default, null for clients that prefer null to what is not known. */
export class Approximate<Value extends number | string = number> {
  readonly value: Value;

  constructor(value: Value) {
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
