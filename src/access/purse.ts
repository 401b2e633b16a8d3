/**
 * What one token holds here: units that were taken from its bucket and its day and are not spent yet, and the store's
 * last word on what is left there. All in memory; time is passed in (Unix milliseconds).
 */
import { BURST_MS, dailyLeftAt, dayAt, dayOf, type Lease, type LeaseAsk, levelAt, type Units } from "#domain/bucket.ts";
import { fallsShort, secondsLeftOf, type Standing, UNUSED } from "./standing.ts";

/** How long the store's word is believed when it says that nothing is left: others may have given something back. */
const BELIEVED_MS = 1_000;

export const NOTHING: Readonly<Units> = { burst: 0, daily: 0 };

/** What the store said last, and when it was asked by our clock. */
interface Word {
  lease: Lease;
  askedAt: number;
}

/** How the token stands is told by the store's last word, what has been refilled since, and what is held here. */
export class Purse implements Standing {
  readonly #keyId: string;
  readonly #held: Units = { ...NOTHING };
  #day = 0;
  /** Of what was taken of the bucket ahead, since the store was last told. */
  #spent = 0;
  /** Of what is held of the bucket, for those who waited: to the store it is spent already. */
  #promised = 0;
  #word: Word | null = null;
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

  /** Whether the store has said anything yet. */
  get isKnown(): boolean {
    return this.#word !== null;
  }

  levelAt(burst: number, now: number): number {
    if (this.#word === null) return UNUSED.levelAt(burst, now);
    const { lease } = this.#word;
    const leased = Math.max(0, lease.leased - this.#spent);
    return levelAt(lease, burst, leased, storeTime(this.#word, now)) + this.#held.burst * BURST_MS;
  }

  dailyLeftAt(daily: number, now: number): number {
    if (this.#word === null) return UNUSED.dailyLeftAt(daily, now);
    const { lease } = this.#word;
    const storeNow = storeTime(this.#word, now);
    const held = dayAt(lease, storeNow) === this.#day ? this.#held.daily : 0;
    return dailyLeftAt(lease, daily, storeNow) + held;
  }

  secondsLeftTodayAt(now: number): number {
    if (this.#word === null) return UNUSED.secondsLeftTodayAt(now);
    const storeNow = storeTime(this.#word, now);
    return secondsLeftOf(dayAt(this.#word.lease, storeNow), storeNow);
  }

  /** Whether the store's last word is too little for this price. */
  fallsShort(price: Units, limits: Units, now: number): boolean {
    return this.#word !== null && fallsShort(this, price, limits, now);
  }

  /** Whether that word is fresh enough to go by. */
  isFresh(now: number): boolean {
    return Math.abs(now - this.askedAt) < BELIEVED_MS;
  }

  /** What was not heard of for as long as a bucket takes to fill is in the bucket again; a day's units end with it. */
  #dropVoid(now: number): void {
    if (this.#word === null) return;
    if (Math.abs(now - this.#word.askedAt) >= BURST_MS) {
      this.#held.burst = 0;
      this.#promised = 0;
      this.#spent = 0;
    }
    if (dayOf(storeTime(this.#word, now)) > this.#day) this.#held.daily = 0;
  }
}

function storeTime({ lease, askedAt }: Word, now: number): number {
  return lease.refilledAt + now - askedAt;
}
