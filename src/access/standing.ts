/**
 * How a token stands, and how that is told. Asked with every request, so each answer is a plain number and nothing is
 * made but the text.
 */
import { BURST_MS, DAY_MS, dayOf, type Units } from "#domain/bucket.ts";

export interface Standing {
  /** Cost units x BURST_MS. */
  levelAt(burst: number, now: number): number;
  dailyLeftAt(daily: number, now: number): number;
  /** Until midnight UTC, by the clock of whoever keeps the bucket. */
  secondsLeftTodayAt(now: number): number;
}

/** Of a token that never asked: it has everything. */
export const UNUSED: Standing = {
  levelAt: (burst) => burst * BURST_MS,
  dailyLeftAt: (daily) => daily,
  secondsLeftTodayAt: (now) => secondsLeftOf(dayOf(now), now),
};

export function secondsLeftOf(day: number, now: number): number {
  return Math.ceil(((day + 1) * DAY_MS - now) / 1000);
}

export function fallsShort(standing: Standing, price: Units, limits: Units, now: number): boolean {
  return (
    standing.levelAt(limits.burst, now) < price.burst * BURST_MS ||
    standing.dailyLeftAt(limits.daily, now) < price.daily
  );
}

export function secondsUntil(standing: Standing, price: Units, limits: Units, now: number): number {
  if (standing.dailyLeftAt(limits.daily, now) < price.daily) return standing.secondsLeftTodayAt(now);
  const missing = price.burst * BURST_MS - standing.levelAt(limits.burst, now);
  return Math.max(1, Math.ceil(Math.min(missing / limits.burst, BURST_MS) / 1000));
}

/** What stands between the two numbers that change with every request, by the seconds until the bucket is full. */
const BETWEEN = Array.from({ length: BURST_MS / 1000 + 1 }, (_, seconds) => `;t=${seconds}, "daily";r=`);

const LAST_THREE = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, "0"));

/** Writing out a number anew is most of the work. The thousands have mostly just been written, and the rest is at hand. */
function digitsOf(whole: number): string {
  return whole < 1_000 ? `${whole}` : `${Math.floor(whole / 1_000)}${LAST_THREE[whole % 1_000]}`;
}

/** The text of the RateLimit header. */
export class StandingText {
  #secondsLeftToday = Number.NaN;
  /** The same for a whole second, whoever asks. */
  #end = "";

  of(standing: Standing, limits: Units, now: number): string {
    const level = standing.levelAt(limits.burst, now);
    const secondsLeftToday = standing.secondsLeftTodayAt(now);
    if (secondsLeftToday !== this.#secondsLeftToday) {
      this.#secondsLeftToday = secondsLeftToday;
      this.#end = `;t=${secondsLeftToday}`;
    }
    const missing = limits.burst * BURST_MS - level;
    const secondsToFull = missing <= 0 ? 0 : Math.ceil(missing / limits.burst / 1000);
    const burstLeft = digitsOf(Math.floor(level / BURST_MS));
    return `"burst";r=${burstLeft}${BETWEEN[secondsToFull]}${digitsOf(standing.dailyLeftAt(limits.daily, now))}${this.#end}`;
  }
}
