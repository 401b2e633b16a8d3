/**
 * How much one token may still ask: a bucket that refills over ten seconds and a quota of the UTC day. Parts of both are
 * let out on lease to whoever spends them. Whole numbers throughout, so that nothing drifts; time is passed in (Unix
 * milliseconds).
 */

/** The bucket refills in this long. */
export const BURST_MS = 10_000;
export const DAY_MS = 86_400_000;

/** Cost units of the bucket and of the day. */
export interface Units {
  burst: number;
  daily: number;
}

export interface Bucket {
  /** Cost units x BURST_MS: whole numbers, so that refilling never rounds. */
  level: number;
  refilledAt: number;
  /** Cost units that were taken ahead and, as far as is known, not spent. */
  leased: number;
  /** Days since 1970 that `used` belongs to. */
  day: number;
  used: number;
}

export interface LeaseAsk {
  keyId: string;
  limits: Units;
  /** At least this, or nothing. */
  need: Units;
  /** This, if there is as much, to be spent at once; no less than what is needed. */
  want: Units;
  /** And this beside, as far as there is plenty, on lease. */
  ahead: Units;
  /** What was spent of earlier leases of the bucket since it was last told. */
  spent: number;
  /** What goes back unspent; what was taken of another day is void. */
  back: Units & { day: number };
}

/** What was let out, and how the bucket stands after it. */
export interface Lease extends Bucket {
  granted: Units;
}

/** Nobody is let more than this part of what is left over ahead of need: the less there is, the less lies idle. */
export const PLENTY = 16;

export function fullBucket(limits: Units, now: number): Bucket {
  return { level: limits.burst * BURST_MS, refilledAt: now, leased: 0, day: dayOf(now), used: 0 };
}

export function refill(bucket: Bucket, limits: Units, now: number): void {
  bucket.level = levelAt(bucket, limits.burst, bucket.leased, now);
  if (elapsedAt(bucket, now) === BURST_MS) bucket.leased = 0;
  bucket.refilledAt = Math.max(bucket.refilledAt, now);
  if (dayOf(now) > bucket.day) {
    bucket.day = dayOf(now);
    bucket.used = 0;
  }
}

/** What the bucket will have been refilled to, with so much of it out. */
export function levelAt(bucket: Bucket, burst: number, leased: number, now: number): number {
  const elapsedMs = elapsedAt(bucket, now);
  // Whoever holds a lease is heard of more often than that: what is still out then is lost with its holder.
  const out = elapsedMs === BURST_MS ? 0 : leased;
  return Math.min(bucket.level + elapsedMs * burst, room(burst, out));
}

/** Clocks are set back, and requests come a little out of order: neither refills anything. */
function elapsedAt(bucket: Bucket, now: number): number {
  return Math.min(Math.max(0, now - bucket.refilledAt), BURST_MS);
}

/** What is out will be spent beside what is in: together they are never more than the bucket holds. */
function room(burst: number, leased: number): number {
  return Math.max(0, burst - leased) * BURST_MS;
}

/** The day that the bucket will be in: a clock that was set back begins none again. */
export function dayAt(bucket: Bucket, now: number): number {
  return Math.max(bucket.day, dayOf(now));
}

export function dailyLeftAt(bucket: Bucket, daily: number, now: number): number {
  return Math.max(0, dayOf(now) > bucket.day ? daily : daily - bucket.used);
}

/** Spends a price at once, or nothing: a lease of it without a word, since every request pays. */
export function take(bucket: Bucket, price: Units, limits: Units, now: number): boolean {
  refill(bucket, limits, now);
  const burst = price.burst * BURST_MS;
  if (bucket.level < burst || Math.max(0, limits.daily - bucket.used) < price.daily) return false;
  bucket.level -= burst;
  bucket.used += price.daily;
  return true;
}

/** What was taken of a day comes back to it; what was taken of another day is void. */
export function refundDaily(bucket: Bucket, units: number, day: number): void {
  if (day === bucket.day) bucket.used = Math.max(0, bucket.used - units);
}

/** Refills, takes back, lets out. A store that has a language of its own says the same in it. */
export function lease(bucket: Bucket, ask: LeaseAsk, now: number): Units {
  const { limits, need, want, ahead, spent, back } = ask;
  // Before what was spent is known: it may have been out until just now.
  refill(bucket, limits, now);
  bucket.leased = Math.max(0, bucket.leased - back.burst);
  bucket.level = Math.min(bucket.level + back.burst * BURST_MS, room(limits.burst, bucket.leased));
  refundDaily(bucket, back.daily, back.day);
  const granted = grant(leftIn(bucket, limits), need, want, ahead);
  bucket.level -= granted.burst * BURST_MS;
  bucket.leased = Math.max(0, bucket.leased + Math.max(0, granted.burst - want.burst) - spent);
  bucket.used += granted.daily;
  return granted;
}

function grant(left: Units, need: Units, want: Units, ahead: Units): Units {
  if (!holds(left, want)) return holds(left, need) ? { ...need } : { burst: 0, daily: 0 };
  return {
    burst: want.burst + Math.min(ahead.burst, Math.floor((left.burst - want.burst) / PLENTY)),
    daily: want.daily + Math.min(ahead.daily, Math.floor((left.daily - want.daily) / PLENTY)),
  };
}

function holds(left: Units, units: Units): boolean {
  return left.burst >= units.burst && left.daily >= units.daily;
}

function leftIn(bucket: Bucket, limits: Units): Units {
  return { burst: Math.floor(bucket.level / BURST_MS), daily: Math.max(0, limits.daily - bucket.used) };
}

export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
