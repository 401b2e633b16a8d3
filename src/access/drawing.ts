/**
 * Takes shares of a token's limits from a store that several nodes draw on. A request that finds its price here waits
 * for nothing; the share is filled up behind it. One call is under way at a time, and those who wait share it. When the
 * store does not answer, what is held is spent and nobody is let in beyond it.
 */
import type { LeaseAsk, Units } from "#domain/bucket.ts";
import type { SharedLeases } from "#store/store.ts";
import { NOTHING, type Purse } from "./purse.ts";

/** Of the smaller limit: a few nodes that hold a share each keep less than a hundredth idle. */
const SHARE = 0.003;
/** A share that nobody used for so long goes back; what was spent is told as often. */
const SETTLE_MS = 1_000;

export type Payment = "paid" | "spent" | "away";

interface Waiting {
  price: Units;
  limits: Units;
  now: number;
  pay(payment: Payment): void;
}

export class Drawing {
  readonly #purse: Purse;
  readonly #leases: SharedLeases;
  readonly #patienceMs: number;
  readonly #waiting: Waiting[] = [];
  #limits: Units = NOTHING;
  #call: { late: boolean; done: Promise<void> } | null = null;

  constructor(purse: Purse, leases: SharedLeases, patienceMs: number) {
    this.#purse = purse;
    this.#leases = leases;
    this.#patienceMs = patienceMs;
  }

  /** For a price that is not held. */
  pay(price: Units, limits: Units, now: number): Payment | Promise<Payment> {
    // Others have waited long enough for the same answer.
    if (this.#call?.late === true) return "away";
    if (this.#purse.isFresh(now) && this.#purse.fallsShort(price, limits, now)) return "spent";
    return new Promise((resolve) => {
      this.#waiting.push({ price, limits, now, pay: resolve });
      if (this.#call === null) this.#drawForFirst();
    });
  }

  /** Fills the share up while what is left of it is being spent. */
  fillUp(limits: Units, now: number): void {
    this.#limits = limits;
    const share = shareOf(limits);
    const { held } = this.#purse;
    if (this.#call !== null || Math.min(held.burst, held.daily) * 2 >= share) return;
    // Asked when there is too little to take ahead, the store would only say so.
    if (this.#purse.isFresh(now) && this.#purse.fallsShort({ burst: share, daily: share }, limits, now)) return;
    const ahead = this.#purse.lacking({ burst: share, daily: share });
    this.#begin(this.#purse.ask(limits, { need: NOTHING, want: NOTHING, ahead }), now);
  }

  /** To be called about twice a second: gives an idle share back and tells what was spent. */
  settle(now: number): void {
    if (this.#call !== null) return;
    const { held, spent, usedAt, askedAt } = this.#purse;
    if (spent + held.burst + held.daily === 0) return;
    // Either way: a clock that was set back must not keep a share for hours.
    if (Math.abs(now - usedAt) >= SETTLE_MS) this.#begin(this.#purse.giveBack(this.#limits), now);
    else if (Math.abs(now - askedAt) >= SETTLE_MS) {
      this.#begin(this.#purse.ask(this.#limits, { need: NOTHING, want: NOTHING, ahead: NOTHING }), now);
    }
  }

  /** For all who wait, or if there is less, for the one who has waited longest. */
  #drawForFirst(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const all = { ...NOTHING };
    for (const { price } of this.#waiting) {
      all.burst += price.burst;
      all.daily += price.daily;
    }
    this.#limits = first.limits;
    const share = shareOf(first.limits);
    const wish = {
      need: this.#purse.lacking(first.price),
      want: this.#purse.lacking(all),
      ahead: { burst: share, daily: share },
    };
    this.#begin(this.#purse.ask(first.limits, wish), first.now);
  }

  #begin(ask: LeaseAsk, now: number): void {
    const call = { late: false, done: Promise.resolve() };
    this.#call = call;
    const timer = setTimeout(() => {
      call.late = true;
      this.#dismissAll();
    }, this.#patienceMs);
    call.done = this.#leases.lease(ask).then(
      (lease) => {
        this.#end(timer);
        // A late answer counts as well: what it brings goes back if nobody comes for it.
        this.#purse.keep(ask, lease, now);
        this.#payAll();
      },
      () => {
        this.#end(timer);
        this.#dismissAll();
      },
    );
  }

  #end(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#call = null;
  }

  #payAll(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { price, limits, now } = first;
      const paid = this.#purse.spend(price, now);
      if (!paid && !this.#purse.fallsShort(price, limits, now)) {
        this.#drawForFirst();
        return;
      }
      this.#waiting.shift();
      first.pay(paid ? "paid" : "spent");
    }
    this.#purse.dropPromised();
  }

  #dismissAll(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.pay("away");
  }

  get isIdle(): boolean {
    const { held, spent } = this.#purse;
    return this.#call === null && spent + held.burst + held.daily === 0;
  }

  /** Gives back all that is held. */
  async close(now: number): Promise<void> {
    await this.#call?.done;
    if (!this.isIdle) this.#begin(this.#purse.giveBack(this.#limits), now);
    await this.#call?.done;
  }
}

function shareOf({ burst, daily }: Units): number {
  return Math.floor(Math.min(burst, daily) * SHARE);
}
