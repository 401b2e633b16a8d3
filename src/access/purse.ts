/**
 * What one token holds here: units that were taken from its bucket and its day and are not spent yet, and the store's
 * last word on what is left there. All in memory; time is passed in (Unix milliseconds).
 */
import { BURST_MS, DAY_MS, dayOf, type Lease, type LeaseAsk, leftIn, refill, type Units } from "#domain/bucket.ts";

/** How long the store's word is believed when it says that nothing is left: others may have given something back. */
const BELIEVED_MS = 1_000;

export const NOTHING: Readonly<Units> = { burst: 0, daily: 0 };

/** How a token stands, with what is held here. */
export interface Standing {
  /** Cost units x BURST_MS. */
  level: number;
  dailyLeft: number;
  /** Until midnight UTC by the store's clock. */
  secondsLeftToday: number;
}

export class Purse {
  readonly #keyId: string;
  readonly #held: Units = { ...NOTHING };
  #day = 0;
  /** Of what was taken of the bucket ahead, since the store was last told. */
  #spent = 0;
  /** Of what is held of the bucket, for those who waited: to the store it is spent already. */
  #promised = 0;
  #word: { lease: Lease; askedAt: number } | null = null;
  #usedAt = 0;

  constructor(keyId: string) {
    this.#keyId = keyId;
  }

  /** The day that what is held belongs to. */
  get day(): number {
    return this.#day;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  get spent(): number {
    return this.#spent;
  }

  get held(): Readonly<Units> {
    return this.#held;
  }

  /** When the store was last asked; it has not been if never. */
  get askedAt(): number {
    return this.#word?.askedAt ?? Number.NEGATIVE_INFINITY;
  }

  /** False when too little is held: then nothing is spent. */
  spend(price: Units, now: number): boolean {
    this.#dropVoid(now);
    if (this.#held.burst < price.burst || this.#held.daily < price.daily) return false;
    this.#held.burst -= price.burst;
    this.#held.daily -= price.daily;
    const promised = Math.min(this.#promised, price.burst);
    this.#promised -= promised;
    this.#spent += price.burst - promised;
    this.#usedAt = now;
    return true;
  }

  /** What was taken of a day comes back to it; after midnight there is nothing left of it. */
  refundDaily(units: number, day: number): void {
    if (day === this.#day) this.#held.daily += units;
  }

  lacking(price: Units): Units {
    return {
      burst: Math.max(0, price.burst - this.#held.burst),
      daily: Math.max(0, price.daily - this.#held.daily),
    };
  }

  /** Makes what is said to the store. It counts as said: if it does not arrive, a little is lost and nothing doubled. */
  ask(limits: Units, wish: { need: Units; want: Units; ahead: Units }): LeaseAsk {
    return this.#saying(limits, wish, { ...NOTHING, day: this.#day });
  }

  giveBack(limits: Units): LeaseAsk {
    this.dropPromised();
    const back = { ...this.#held, day: this.#day };
    Object.assign(this.#held, NOTHING);
    return this.#saying(limits, { need: NOTHING, want: NOTHING, ahead: NOTHING }, back);
  }

  #saying(limits: Units, wish: Pick<LeaseAsk, "need" | "want" | "ahead">, back: LeaseAsk["back"]): LeaseAsk {
    const spent = this.#spent;
    this.#spent = 0;
    return { keyId: this.#keyId, limits, ...wish, spent, back };
  }

  /** What somebody waited for and no longer does is left to refill. */
  dropPromised(): void {
    this.#held.burst -= this.#promised;
    this.#promised = 0;
  }

  keep({ want }: LeaseAsk, lease: Lease, askedAt: number): void {
    if (lease.day > this.#day) {
      this.#day = lease.day;
      this.#held.daily = 0;
    }
    this.#held.burst += lease.granted.burst;
    this.#promised += Math.min(want.burst, lease.granted.burst);
    this.#held.daily += lease.granted.daily;
    this.#word = { lease, askedAt };
  }

  /** By the store's last word and what has been refilled since; null where there is none. */
  standing(limits: Units, now: number): Standing | null {
    if (this.#word === null) return null;
    const { lease, askedAt } = this.#word;
    const storeNow = lease.refilledAt + now - askedAt;
    const bucket = { ...lease, leased: Math.max(0, lease.leased - this.#spent) };
    refill(bucket, limits, storeNow);
    return {
      level: bucket.level + this.#held.burst * BURST_MS,
      dailyLeft: leftIn(bucket, limits).daily + (bucket.day === this.#day ? this.#held.daily : 0),
      secondsLeftToday: Math.ceil(((bucket.day + 1) * DAY_MS - storeNow) / 1000),
    };
  }

  /** Whether the store's last word is too little for this price. */
  fallsShort(price: Units, limits: Units, now: number): boolean {
    const standing = this.standing(limits, now);
    if (standing === null) return false;
    return Math.floor(standing.level / BURST_MS) < price.burst || standing.dailyLeft < price.daily;
  }

  /** Whether that word is fresh enough to go by. */
  isFresh(now: number): boolean {
    return Math.abs(now - this.askedAt) < BELIEVED_MS;
  }

  secondsUntil(price: Units, limits: Units, now: number): number {
    const standing = this.standing(limits, now);
    if (standing === null) return 1;
    if (standing.dailyLeft < price.daily) return standing.secondsLeftToday;
    const waitMs = Math.min((price.burst * BURST_MS - standing.level) / limits.burst, BURST_MS);
    return Math.max(1, Math.ceil(waitMs / 1000));
  }

  /** What was not heard of for as long as a bucket takes to fill is in the bucket again; a day's units end with it. */
  #dropVoid(now: number): void {
    if (this.#word === null) return;
    const { lease, askedAt } = this.#word;
    if (Math.abs(now - askedAt) >= BURST_MS) {
      this.#held.burst = 0;
      this.#promised = 0;
      this.#spent = 0;
    }
    if (dayOf(lease.refilledAt + now - askedAt) > this.#day) this.#held.daily = 0;
  }
}
