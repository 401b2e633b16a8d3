/** The limiter's decision on one request. */
export type Admission = Permit | Rejection;

export interface Permit {
  readonly ok: true;
  /** Frees the request's slot of the concurrency limit. Idempotent. */
  release(): void;
  /** Refunds the daily cost, as for a 304. Idempotent. */
  refundDaily(): void;
}

export interface Rejection {
  readonly ok: false;
  readonly code: "rate_limited" | "too_many_concurrent" | "service_unavailable";
  readonly retryAfterS: number;
}

export const UNLIMITED: Permit = Object.freeze({ ok: true, release() {}, refundDaily() {} });
export const TOO_MANY_CONCURRENT: Rejection = Object.freeze({ ok: false, code: "too_many_concurrent", retryAfterS: 1 });
export const UNAVAILABLE: Rejection = Object.freeze({ ok: false, code: "service_unavailable", retryAfterS: 1 });
