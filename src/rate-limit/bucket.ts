/**
 * A token bucket and daily quota as this process sees them: the last shared balance, plus refill, minus local spending.
 * Times are monotonic milliseconds, so setting the system clock neither refills a bucket nor locks a token out.
 */
import type { Cost } from "#api/endpoint.ts";
import { BURST_MS, type SharedBalance, type SpendReport } from "#domain/rate-bucket.ts";
import { DAY_MS, dayOf } from "#domain/time.ts";
import type { Admission, Permit } from "./admission.ts";
import { cappedCost, type EffectiveLimits } from "./effective-limits.ts";

/** Two exchanges bring all processes to the same balance, within a second. */
export const EXCHANGE_MS = 400;
/** The share of a limit that may be spent before an early exchange: what refills between two exchanges. */
const UNREPORTED_SHARE = EXCHANGE_MS / BURST_MS;

export class Bucket {
  limits: EffectiveLimits;
  running = 0;
  /** Cost units x BURST_MS. */
  #level: number;
  /** The level without this process's spending since its last report. */
  #baseline: number;
  #refilledAt: number;
  #day = Number.NEGATIVE_INFINITY;
  #dayEndsAt = 0;
  /** Today's daily cost: as last reported by the store, and not yet reported to it. */
  #used = 0;
  #unreported = 0;
  #unreportedSince: number | null = null;
  /** The last report; spent and daily are 0 once it was acknowledged. */
  #sent = { at: Number.NEGATIVE_INFINITY, spent: 0, daily: 0, day: 0 };
  #acquiredAt = Number.NEGATIVE_INFINITY;

  constructor(limits: EffectiveLimits, now: number) {
    this.limits = limits;
    this.#level = this.#baseline = limits.burst * BURST_MS;
    this.#refilledAt = now;
  }

  /** Refills, and starts a new day at midnight UTC. Must be called before any other method. */
  advance(now: number, utc: number): void {
    const { burst } = this.limits;
    const refilled = (now - this.#refilledAt) * burst;
    this.#level = Math.min(this.#level + refilled, burst * BURST_MS);
    this.#baseline = Math.min(this.#baseline + refilled, burst * BURST_MS);
    this.#refilledAt = now;
    // By either clock, so that setting one back does not prolong the day.
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
    const price = { burst: cappedCost(burst, cost) * BURST_MS, daily: cappedCost(daily, cost) };
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

  /** Whether other processes may have changed the balance, or do not know of local spending. */
  get needsExchange(): boolean {
    return !this.#isIdle || this.#unreportedSince !== null;
  }

  /** Whether to exchange early: the balance is old, or much was spent since. */
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

  /** Spending counts as reported only when the response arrives, so a lost response may count it twice, never not at all. */
  report(keyId: string): SpendReport {
    const spent = this.#baseline - this.#level;
    this.#sent = { at: this.#refilledAt, spent, daily: this.#unreported, day: this.#day };
    return { keyId, burst: this.limits.burst, spent, daily: this.#unreported, day: this.#day };
  }

  /** Takes over the response to the last report. Later spending stays unreported. */
  adopt({ level, used, at }: SharedBalance): void {
    const spentSince = Math.max(0, this.#baseline - this.#level - this.#sent.spent);
    this.#baseline = level;
    this.#level = level - spentSince;
    // After midnight the report was for yesterday.
    if (this.#sent.day === this.#day) this.#unreported -= this.#sent.daily;
    this.#used = used;
    this.#startDay(this.#refilledAt, at);
    this.#unreportedSince = spentSince === 0 && this.#unreported === 0 ? null : this.#sent.at;
    this.#sent = { ...this.#sent, spent: 0, daily: 0 };
  }

  /** Whether it equals a new bucket. */
  get isUnused(): boolean {
    return this.running === 0 && this.#isIdle && this.#level === this.limits.burst * BURST_MS;
  }
}

function rejection(waitMs: number): Admission {
  return { ok: false, code: "rate_limited", retryAfterS: Math.ceil(waitMs / 1000) };
}
