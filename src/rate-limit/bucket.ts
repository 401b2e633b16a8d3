/**
 * One token's limits as this process sees them: the last known balance, refilled since, less what was spent here. Times
 * are monotonic milliseconds, so that setting the clock neither refills anything nor locks a token out.
 */
import type { Cost } from "#api/endpoint.ts";
import { BURST_MS, DAY_MS, dayOf, type SharedBalance, type SpendReport } from "#domain/rate-bucket.ts";
import type { Admission, Permit } from "./admission.ts";
import { costWithin, type EffectiveLimits } from "./effective-limits.ts";

/** Two exchanges bring the same balance to all: within a second. */
export const EXCHANGE_MS = 400;
/** Of a limit, what may be spent before it is reported out of turn: as much as refills between two exchanges. */
const UNREPORTED_SHARE = EXCHANGE_MS / BURST_MS;

export class Bucket {
  limits: EffectiveLimits;
  running = 0;
  /** Cost units x BURST_MS. */
  #level: number;
  /** What the level would be had this process spent nothing since its last report. */
  #baseline: number;
  #refilledAt: number;
  #day = Number.NEGATIVE_INFINITY;
  #dayEndsAt = 0;
  /** Of today: as the store said last, and what it has not been told. */
  #used = 0;
  #unreported = 0;
  #unreportedSince: number | null = null;
  /** The last report; once answered, nothing of it is in flight. */
  #sent = { at: Number.NEGATIVE_INFINITY, spent: 0, daily: 0, day: 0 };
  #acquiredAt = Number.NEGATIVE_INFINITY;

  constructor(limits: EffectiveLimits, now: number) {
    this.limits = limits;
    this.#level = this.#baseline = limits.burst * BURST_MS;
    this.#refilledAt = now;
  }

  /** To be called first: refills, and starts a new day at midnight UTC. */
  advance(now: number, utc: number): void {
    const { burst } = this.limits;
    const refilled = (now - this.#refilledAt) * burst;
    this.#level = Math.min(this.#level + refilled, burst * BURST_MS);
    this.#baseline = Math.min(this.#baseline + refilled, burst * BURST_MS);
    this.#refilledAt = now;
    // By either clock: one that was set back does not prolong the day.
    if (now >= this.#dayEndsAt || dayOf(utc) > this.#day) {
      this.#startDay(now, utc);
      this.#used = this.#unreported = 0;
    }
  }

  #startDay(now: number, utc: number): void {
    this.#day = dayOf(utc);
    this.#dayEndsAt = now + (this.#day + 1) * DAY_MS - utc;
  }

  acquire(cost: Cost): Admission {
    const now = (this.#acquiredAt = this.#refilledAt);
    const { burst, daily } = this.limits;
    const price = { burst: costWithin(burst, cost) * BURST_MS, daily: costWithin(daily, cost) };
    if (this.#dailyLeft < price.daily) return rejection(this.#dayEndsAt - now);
    if (this.#level < price.burst) return rejection(burst === 0 ? BURST_MS : (price.burst - this.#level) / burst);
    this.#level -= price.burst;
    this.#unreported += price.daily;
    this.#unreportedSince ??= now;
    return this.#permit(price.daily);
  }

  #permit(daily: number): Permit {
    const day = this.#day;
    let [isRunning, isRefunded] = [true, false];
    this.running += 1;
    return {
      ok: true,
      release: () => {
        if (isRunning) this.running -= 1;
        isRunning = false;
      },
      refundDaily: () => {
        if (!isRefunded && day === this.#day) this.#unreported -= daily;
        isRefunded = true;
      },
    };
  }

  get #dailyLeft(): number {
    return Math.max(0, this.limits.daily - Math.max(0, this.#used + this.#unreported));
  }

  /** The RateLimit header. */
  header(): string {
    const { burst } = this.limits;
    const missing = burst * BURST_MS - this.#level;
    const burstLeft = Math.max(0, Math.floor(this.#level / BURST_MS));
    const fullInS = missing <= 0 ? 0 : Math.ceil(missing / burst / 1000);
    const dayEndsInS = Math.ceil((this.#dayEndsAt - this.#refilledAt) / 1000);
    return `"burst";r=${burstLeft};t=${fullInS}, "daily";r=${this.#dailyLeft};t=${dayEndsInS}`;
  }

  get #isIdle(): boolean {
    return this.#refilledAt - this.#acquiredAt >= BURST_MS && this.#unreported === 0;
  }

  /** Whether others may have changed the balance, or do not know what was spent here. */
  get needsExchange(): boolean {
    return !this.#isIdle || this.#unreportedSince !== null;
  }

  /** Whether the next exchange cannot wait for its turn: the balance is old, or much was spent since. */
  get isDue(): boolean {
    const { burst, daily } = this.limits;
    return (
      this.#refilledAt - this.#sent.at >= EXCHANGE_MS ||
      this.#baseline - this.#level - this.#sent.spent >= burst * BURST_MS * UNREPORTED_SHARE ||
      this.#unreported - this.#sent.daily >= daily * UNREPORTED_SHARE
    );
  }

  /** How long spending has gone unreported. */
  get unreportedMs(): number {
    return this.#unreportedSince === null ? 0 : this.#refilledAt - this.#unreportedSince;
  }

  /** Nothing is taken as reported before the answer comes: one that is lost may count twice, and never not at all. */
  report(keyId: string): SpendReport {
    const spent = this.#baseline - this.#level;
    this.#sent = { at: this.#refilledAt, spent, daily: this.#unreported, day: this.#day };
    return { keyId, burst: this.limits.burst, spent, daily: this.#unreported, day: this.#day };
  }

  /** The answer to the last report. What was spent since stays to be reported. */
  adopt({ level, used, at }: SharedBalance): void {
    const spentSince = Math.max(0, this.#baseline - this.#level - this.#sent.spent);
    this.#baseline = level;
    this.#level = level - spentSince;
    // After midnight what was sent is no longer part of it.
    if (this.#sent.day === this.#day) this.#unreported -= this.#sent.daily;
    this.#used = used;
    this.#startDay(this.#refilledAt, at);
    this.#unreportedSince = spentSince === 0 && this.#unreported === 0 ? null : this.#sent.at;
    this.#sent = { ...this.#sent, spent: 0, daily: 0 };
  }

  /** Whether it stands as a new one would. */
  get isUnused(): boolean {
    return this.running === 0 && this.#isIdle && this.#level === this.limits.burst * BURST_MS;
  }
}

function rejection(waitMs: number): Admission {
  return { ok: false, code: "rate_limited", retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}
