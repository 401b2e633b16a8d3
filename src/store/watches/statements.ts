import { present } from "#domain/present.ts";
import type { Watch } from "#domain/watch.ts";
import { aliases, selectAs } from "#store/sql/select.ts";
import { WATCHES } from "./tables.ts";
import type { Watches } from "./port.ts";
import type { Dialect } from "#store/sql/dialect.ts";
import type { Sql } from "#store/sql/sql.ts";

const WATCH = {
  id: "id",
  platform: "platform",
  kind: "kind",
  target: "target",
  everyMs: "every_ms",
  state: "state",
  createdAt: "created_at",
  nextAt: "next_at",
  lastAt: "last_at",
  lastOutcome: "last_outcome",
  runs: "runs",
} as const;

export function createWatches(sql: Sql, { now: storeNow }: Dialect): Watches {
  return {
    async listWatches() {
      const watches = await sql.all(selectAs(WATCHES, WATCH, "ORDER BY next_at, id"));
      return watches.map((watch) => ({ ...watch }));
    },
    async addWatch({ id, platform, kind, target, everyMs, state, createdAt, nextAt }) {
      const watch = await sql.get<Watch>(
        `INSERT INTO watches (id, platform, kind, target, every_ms, state, created_at, next_at, runs)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)
         ON CONFLICT (platform, kind, target) DO UPDATE SET every_ms = excluded.every_ms, state = excluded.state,
           next_at = excluded.next_at RETURNING ${aliases(WATCH)}`,
        id,
        platform,
        kind,
        target,
        everyMs,
        state,
        createdAt,
        nextAt,
      );
      return { ...present(watch) };
    },
    async setWatchState(id, state, now) {
      const watch = await sql.get<Watch>(
        `UPDATE watches SET state = $2, next_at = CASE WHEN next_at < $3 THEN $3 ELSE next_at END WHERE id = $1
         RETURNING ${aliases(WATCH)}`,
        id,
        state,
        now,
      );
      return watch === undefined ? null : { ...watch };
    },
    async deleteWatch(id) {
      return (await sql.run("DELETE FROM watches WHERE id = $1", id)) > 0;
    },
    async startWatch({ id, nextAt: dueAt }, nextAt, now) {
      const started = await sql.run(
        `UPDATE watches SET next_at = $3, last_at = $4, runs = runs + 1
         WHERE id = $1 AND next_at = $2 AND state = 'active'`,
        id,
        dueAt,
        nextAt,
        now,
      );
      return started > 0;
    },
    async endWatch(id, outcome, nextAt) {
      await sql.run(
        "UPDATE watches SET last_outcome = $2, next_at = coalesce($3, next_at) WHERE id = $1",
        id,
        outcome,
        nextAt,
      );
    },
    async leaseSource(source, owner, leaseMs) {
      const leased = await sql.run(
        `INSERT INTO watch_leases (source, owner, lease_until) VALUES ($1, $2, ${storeNow} + $3)
         ON CONFLICT (source) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
         WHERE watch_leases.owner = excluded.owner OR watch_leases.lease_until <= ${storeNow}`,
        source,
        owner,
        leaseMs,
      );
      return leased > 0;
    },
    async releaseSource(source, owner) {
      await sql.run("DELETE FROM watch_leases WHERE source = $1 AND owner = $2", source, owner);
    },
  };
}
