import type { Limits } from "#rate-limit/effective-limits.ts";

export const RATE_LIMITS: Limits = { burst: 2_000, daily: 1_000_000, concurrency: 50 };
