/**
 * Buckets that all nodes draw on, a row for each token. What src/domain/bucket.ts says, said in one statement: the row's
 * lock puts the nodes in order, and the server's clock is the one that counts.
 */
import { BURST_MS, DAY_MS, fullBucket, type Lease, type LeaseAsk, PLENTY } from "#domain/bucket.ts";
import type { SharedLeases } from "../store.ts";
import type { Sql } from "./sql.ts";

type Row = Omit<Lease, "granted"> & { burst: number; daily: number };

/** Milliseconds; a clock that is passed in comes first. */
const clock = (place: string) =>
  `coalesce(${place}::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;

/**
 * Each step reads those before it, and the clock is read once. The commit does not wait for the disk: a crash of the
 * server may forget the last moment's leases.
 */
const LEASE = `
UPDATE rate_buckets held SET (level, refilled_at, leased, day, used, granted_burst, granted_daily) = (
  SELECT returned.level - granted.burst * ${BURST_MS}, moment.at,
    greatest(returned.leased + greatest(granted.burst - ask.want_burst, 0) - ask.spent, 0), moment.day, returned.used + granted.daily,
    granted.burst, granted.daily
  FROM (
    SELECT $2::bigint AS burst, $3::bigint AS daily, $4::bigint AS need_burst, $5::bigint AS need_daily,
      $6::bigint AS want_burst, $7::bigint AS want_daily, $8::bigint AS ahead_burst, $9::bigint AS ahead_daily,
      $10::bigint AS spent, $11::bigint AS back_burst, $12::bigint AS back_daily, $13::bigint AS back_day,
      ${clock("$14")} AS now
  ) ask
  CROSS JOIN LATERAL (
    SELECT greatest(held.refilled_at, ask.now) AS at, greatest(held.day, ask.now / ${DAY_MS}) AS day,
      least(greatest(ask.now - held.refilled_at, 0), ${BURST_MS}) AS elapsed
  ) moment
  CROSS JOIN LATERAL (
    SELECT CASE WHEN moment.elapsed = ${BURST_MS} THEN 0 ELSE held.leased END AS leased,
      CASE WHEN moment.day > held.day THEN 0 ELSE held.used END AS used
  ) kept
  CROSS JOIN LATERAL (
    SELECT least(held.level + moment.elapsed * ask.burst, greatest(ask.burst - kept.leased, 0) * ${BURST_MS}) AS level
  ) refilled
  CROSS JOIN LATERAL (
    SELECT greatest(kept.leased - ask.back_burst, 0) AS leased,
      greatest(kept.used - CASE WHEN ask.back_day = moment.day THEN ask.back_daily ELSE 0 END, 0) AS used,
      least(
        refilled.level + ask.back_burst * ${BURST_MS},
        greatest(ask.burst - greatest(kept.leased - ask.back_burst, 0), 0) * ${BURST_MS}
      ) AS level
  ) returned
  CROSS JOIN LATERAL (
    SELECT returned.level / ${BURST_MS} AS burst, greatest(ask.daily - returned.used, 0) AS daily
  ) remaining
  CROSS JOIN LATERAL (
    SELECT remaining.burst >= ask.need_burst AND remaining.daily >= ask.need_daily AS need,
      remaining.burst >= ask.want_burst AND remaining.daily >= ask.want_daily AS want
  ) holds
  CROSS JOIN LATERAL (
    SELECT
      CASE WHEN holds.want THEN ask.want_burst + least(ask.ahead_burst, (remaining.burst - ask.want_burst) / ${PLENTY})
        WHEN holds.need THEN ask.need_burst ELSE 0 END AS burst,
      CASE WHEN holds.want THEN ask.want_daily + least(ask.ahead_daily, (remaining.daily - ask.want_daily) / ${PLENTY})
        WHEN holds.need THEN ask.need_daily ELSE 0 END AS daily
  ) granted
)
WHERE key_id = $1 AND set_config('synchronous_commit', 'off', true) = 'off'
RETURNING level, refilled_at AS "refilledAt", leased, day, used, granted_burst AS burst, granted_daily AS daily`;

const BEGIN = `
INSERT INTO rate_buckets (key_id, level, refilled_at, leased, day, used, granted_burst, granted_daily)
SELECT $1, $2, now, 0, now / ${DAY_MS}, 0, 0, 0 FROM (SELECT ${clock("$3")} AS now) clock
ON CONFLICT (key_id) DO NOTHING`;

/** `now` takes the place of the server's clock: for tests. */
export function createLeases(db: Sql, now: (() => number) | null = null): SharedLeases {
  async function draw({ keyId, limits, need, want, ahead, spent, back }: LeaseAsk): Promise<Row | undefined> {
    return db.get<Row>(
      LEASE,
      keyId,
      ...[limits, need, want, ahead].flatMap(({ burst, daily }) => [burst, daily]),
      spent,
      back.burst,
      back.daily,
      back.day,
      now?.() ?? null,
    );
  }

  return {
    shared: true,
    async lease(ask) {
      let row = await draw(ask);
      if (row === undefined) {
        await db.run(BEGIN, ask.keyId, fullBucket(ask.limits, 0).level, now?.() ?? null);
        row = (await draw(ask)) as Row;
      }
      const { burst, daily, ...bucket } = row;
      return { ...bucket, granted: { burst, daily } };
    },
  };
}
