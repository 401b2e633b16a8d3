/** Paid out of a share of a bucket that others draw on as well. */
import { BURST_MS, type Units } from "#domain/bucket.ts";
import type { SharedLeases } from "#store/store.ts";
import { Drawing, type Payment } from "./drawing.ts";
import { Purse } from "./purse.ts";
import type { Terms } from "./terms.ts";
import type { Usage } from "./usage.ts";

export class SharedUsage implements Usage {
  terms: Terms;
  running = 0;
  readonly #purse: Purse;
  readonly #drawing: Drawing;

  constructor(keyId: string, terms: Terms, leases: SharedLeases, patienceMs: number) {
    this.terms = terms;
    this.#purse = new Purse(keyId);
    this.#drawing = new Drawing(this.#purse, leases, patienceMs);
  }

  get isKnown(): boolean {
    return this.#purse.isKnown;
  }

  get day(): number {
    return this.#purse.day;
  }

  pay(price: Units, terms: Terms, now: number): Payment | Promise<Payment> {
    if (!this.#purse.spend(price, now)) return this.#drawing.pay(price, terms, now);
    this.#drawing.fillUp(terms, now);
    return "paid";
  }

  refundDaily(units: number, day: number): void {
    this.#purse.refundDaily(units, day);
  }

  levelAt(burst: number, now: number): number {
    return this.#purse.levelAt(burst, now);
  }

  dailyLeftAt(daily: number, now: number): number {
    return this.#purse.dailyLeftAt(daily, now);
  }

  secondsLeftTodayAt(now: number): number {
    return this.#purse.secondsLeftTodayAt(now);
  }

  isForgettable(now: number): boolean {
    return this.running === 0 && now - this.#purse.askedAt >= BURST_MS && this.#drawing.isIdle;
  }

  settle(now: number): void {
    this.#drawing.settle(now);
  }

  close(now: number): Promise<void> {
    return this.#drawing.close(now);
  }
}
