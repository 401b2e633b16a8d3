/**
 * The ledger of live sources. Every decision is one transaction under one lock, so that of two processes the second sees
 * what the first was granted. Times are by the store's clock.
 */
import type { PlatformName } from "#domain/record.ts";
import type {
  AgedRecord,
  BudgetCharge,
  CallDecision,
  FetchDecision,
  FetchStart,
  SourceAccount,
  SourceLedger,
} from "./port.ts";
import { RECORDS } from "#store/records/tables.ts";
import { select, selectAs } from "#store/sql/select.ts";
import { columnNames } from "#store/sql/table.ts";
import type { Dialect } from "#store/sql/dialect.ts";
import type { SqlDatabase, SqlSteps, Steps } from "#store/sql/sql.ts";
import { type FetchRow, type QuotaRow, SOURCE_FETCHES, SOURCE_QUOTA } from "./tables.ts";

/** Units are written to `durable`; what a power cut may undo, since it ends all calls too, to `relaxed`. */
export function createSourceLedger(
  durable: SqlDatabase,
  dialect: Dialect,
  relaxed: SqlDatabase = durable,
): SourceLedger {
  const { sql: db, transaction } = durable;

  function* lock(sql: SqlSteps): Steps<number> {
    if (dialect.locks !== null) yield* sql.get(dialect.locks.sources);
    const clock = yield* sql.get<{ now: number }>(`SELECT ${dialect.now} AS now`);
    return clock?.now ?? 0;
  }

  /** Those of the accounts that have a post. */
  async function listAuthors(platform: PlatformName, ids: readonly string[]): Promise<Set<string>> {
    const rows = await db.all<{ key: string }>(
      "SELECT DISTINCT key FROM post_lists WHERE key = ANY($1) AND platform = $2 AND list = 'author'",
      ids,
      platform,
    );
    return new Set(rows.map(({ key }) => key));
  }

  return {
    async startCall({ id, source, account, charges, maxConcurrent, leaseMs }) {
      return transaction(function* (sql): Steps<CallDecision> {
        const now = yield* lock(sql);
        yield* sql.run("DELETE FROM source_calls WHERE source = $1 AND lease_until <= $2", source, now);
        const running = yield* sql.count("source_calls WHERE source = $1", source);
        if (running >= maxConcurrent) return { state: "busy" };
        const rows: QuotaRow[] = [];
        for (const charge of charges) {
          const { budget, units, limit } = charge;
          const row = yield* readQuota(sql, { source, account }, charge, now);
          if (row.isCounted) continue;
          if (row.used + units > limit) return { state: "exhausted", budget, used: row.used, limit };
          rows.push({ ...row.row, used: row.row.used + units });
        }
        if (rows.length > 0) yield* sql.upsert(SOURCE_QUOTA, rows);
        yield* sql.run(
          "INSERT INTO source_calls (source, id, lease_until) VALUES ($1, $2, $3)",
          source,
          id,
          now + leaseMs,
        );
        return { state: "granted" };
      });
    },
    async endCall(source, id) {
      await relaxed.sql.run("DELETE FROM source_calls WHERE source = $1 AND id = $2", source, id);
    },
    async exhaust(account, charge) {
      await transaction(function* (sql): Steps<void> {
        const now = yield* lock(sql);
        const { used, row } = yield* readQuota(sql, account, { ...charge, item: null }, now);
        if (used < charge.limit) yield* sql.upsert(SOURCE_QUOTA, [{ ...row, used: row.used + charge.limit - used }]);
      });
    },
    async listUse() {
      const rows = await db.all(
        select(
          SOURCE_QUOTA,
          ["source", "account", "budget", "period", "used", "at"],
          "ORDER BY source, account, budget, period, item",
        ),
      );
      return rows.map((row) => ({ ...row }));
    },
    async startFetches(fetches, { owner, leaseMs }) {
      return relaxed.transaction(function* (sql): Steps<FetchDecision[]> {
        const now = yield* lock(sql);
        const rows: FetchRow[] = [];
        for (const [source, requests] of Map.groupBy(fetches, (fetch) => fetch.source)) {
          rows.push(
            ...(yield* sql.all(
              select(SOURCE_FETCHES, columnNames(SOURCE_FETCHES), "WHERE source = $1 AND request = ANY($2)"),
              source,
              requests.map(({ request }) => request),
            )),
          );
        }
        const known = new Map(rows.map((row) => [fetchKey(row), row]));
        const decisions = fetches.map((fetch) => decide(fetch, known.get(fetchKey(fetch)), now));
        const started = fetches.filter((_, index) => decisions[index]?.state === "started");
        if (started.length > 0) {
          yield* sql.upsert(
            SOURCE_FETCHES,
            started.map(({ source, request }) => ({
              source,
              request,
              owner,
              lease_until: now + leaseMs,
              result: null,
              ended_at: 0,
            })),
          );
        }
        return decisions;
      });
    },
    async endFetches(fetches) {
      await relaxed.transaction(function* (sql): Steps<void> {
        const now = yield* lock(sql);
        yield* sql.upsert(
          SOURCE_FETCHES,
          fetches.map(({ source, request, result }) => ({
            source,
            request,
            owner: "",
            lease_until: 0,
            result,
            ended_at: now,
          })),
        );
      });
    },
    async listAged({ platform, kind, source }, beforeMs, { limit, after = { capturedAt: 0, id: "" } }) {
      const found: AgedRecord[] = [];
      for (let last: AgedRecord | undefined = after; last !== undefined && found.length < limit;) {
        const rows: AgedRecord[] = await db.all(
          selectAs(
            RECORDS,
            { capturedAt: "captured_at", id: "id" },
            `WHERE platform = $1 AND kind = $2 AND source = $3 AND captured_at < $4 AND (captured_at, id) > ($5, $6)
             ORDER BY captured_at, id LIMIT $7`,
          ),
          platform,
          kind,
          source,
          beforeMs,
          last.capturedAt,
          last.id,
          limit,
        );
        const ids = rows.map(({ id }) => id);
        const chosen = kind === "account" ? await listAuthors(platform, ids) : new Set(ids);
        found.push(...rows.filter(({ id }) => chosen.has(id)).map((row) => ({ ...row })));
        last = rows.length < limit ? undefined : rows.at(-1);
      }
      return found.slice(0, limit);
    },
    async prune(beforeMs) {
      await db.run("DELETE FROM source_fetches WHERE ended_at < $1 AND lease_until < $1", beforeMs);
      await db.run("DELETE FROM source_quota WHERE at < $1", beforeMs);
    },
  };
}

interface Quota {
  /** Of the whole budget in this period or window. */
  used: number;
  /** Where the charge is added. */
  row: QuotaRow;
  /** The item was counted before. */
  isCounted: boolean;
}

function* readQuota(
  sql: SqlSteps,
  { source, account }: SourceAccount,
  { budget, period, item, windowMs }: BudgetCharge,
  now: number,
): Steps<Quota> {
  const rows = yield* sql.all(
    select(
      SOURCE_QUOTA,
      ["item", "used"],
      "WHERE source = $1 AND account = $2 AND budget = $3 AND period = $4 AND at > $5",
    ),
    source,
    account,
    budget,
    period,
    windowMs > 0 ? now - windowMs : 0,
  );
  const own = rows.find((row) => row.item === (item ?? ""));
  return {
    used: rows.reduce((sum, row) => sum + row.used, 0),
    row: { source, account, budget, period, item: item ?? "", used: own?.used ?? 0, at: now },
    isCounted: item !== null && own !== undefined,
  };
}

function fetchKey({ source, request }: Pick<FetchRow, "source" | "request">): string {
  return `${source} ${request}`;
}

function decide({ minAgeMs }: FetchStart, row: FetchRow | undefined, now: number): FetchDecision {
  if (row === undefined) return { state: "started" };
  if (row.lease_until > now) return { state: "running" };
  if (row.result !== null && row.ended_at + minAgeMs > now)
    return { state: "recent", result: row.result, endedAt: row.ended_at };
  return { state: "started" };
}
