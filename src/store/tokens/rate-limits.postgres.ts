/**
 * Balances shared by all nodes, one row per token: src/rate-limit/shared-balances.ts as one statement for any number of
 * tokens. Rows are locked in key order, so exchanges never deadlock. The server's clock is used.
 */
import { BURST_MS, type RateLimitExchange, type SharedBalance } from "#domain/rate-bucket.ts";
import { DAY_MS } from "#domain/time.ts";
import type { Sql } from "#store/postgres/sql.ts";

/**
 * The inserted row is a full bucket minus what was spent; on conflict it is combined with the stored level and day. The
 * commit does not wait for the disk: a crash of the server may lose the last moment.
 */
const EXCHANGE = `
INSERT INTO rate_balances AS stored (key_id, burst, level, refilled_at, day, used)
SELECT report.key_id, burst, burst * ${BURST_MS} - spent, now, now / ${DAY_MS},
  CASE WHEN report.day = now / ${DAY_MS} THEN daily ELSE 0 END
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS report (key_id, burst, spent, daily, day)
CROSS JOIN (SELECT coalesce($6::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS now) clock
WHERE set_config('synchronous_commit', 'off', true) = 'off'
ORDER BY report.key_id
ON CONFLICT (key_id) DO UPDATE SET
  burst = excluded.burst,
  level = excluded.level - excluded.burst * ${BURST_MS} + least(
    stored.level + least(greatest(excluded.refilled_at - stored.refilled_at, 0), ${DAY_MS}) * excluded.burst,
    excluded.burst * ${BURST_MS}
  ),
  refilled_at = excluded.refilled_at,
  day = excluded.day,
  used = greatest(excluded.used + CASE WHEN stored.day = excluded.day THEN greatest(stored.used, 0) ELSE 0 END, 0)
RETURNING key_id AS "keyId", level, greatest(used, 0) AS used, refilled_at AS at`;

/** For tests, `now` replaces the server's clock. */
export function createRateLimits(db: Sql, now: (() => number) | null = null): RateLimitExchange {
  return {
    exchange: (reports) =>
      db.all<SharedBalance>(
        EXCHANGE,
        reports.map(({ keyId }) => keyId),
        reports.map(({ burst }) => burst),
        reports.map(({ spent }) => spent),
        reports.map(({ daily }) => daily),
        reports.map(({ day }) => day),
        now?.() ?? null,
      ),
  };
}
