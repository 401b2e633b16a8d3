/** What one token has under way here, and what pays for it. */
import type { Units } from "#domain/bucket.ts";
import type { Payment } from "./drawing.ts";
import type { Standing } from "./standing.ts";
import type { Terms } from "./terms.ts";

export interface Usage extends Standing {
  terms: Terms;
  /** Requests at once. */
  running: number;
  /** Whether it has been heard yet how the token stands. */
  readonly isKnown: boolean;
  /** The day that payments are taken of. */
  readonly day: number;
  /** A promise only if the store has to be asked first. */
  pay(price: Units, terms: Terms, now: number): Payment | Promise<Payment>;
  /** What was taken of a day comes back to it; after midnight there is nothing left of it. */
  refundDaily(units: number, day: number): void;
  /** Whether nothing is lost with it: the store remembers what was used. */
  isForgettable(now: number): boolean;
  settle(now: number): void;
  /** Gives back all that is held. */
  close(now: number): Promise<void>;
}
