/** The store on PostgreSQL, shared by any number of processes. Records may be read from replicas; all else uses the primary. */
import { dayOf } from "#domain/time.ts";
import { cacheReaders } from "#store/sql/reader-cache.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";
import type { Store } from "../store.ts";
import { createAuditTable } from "#store/audit/statements.ts";
import { createJobs } from "#store/jobs/statements.ts";
import { createWatches } from "#store/watches/statements.ts";
import { readPurgeState } from "#store/erasure/purge-state.ts";
import { createRetentionTable } from "#store/retention/statements.ts";
import { createUsage } from "#store/tokens/usage.ts";
import { createSourceLedger } from "#store/sources/statements.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { analyzeTables } from "./analyze.ts";
import { DIALECT, shareSql } from "./shared-sql.ts";
import { getOrSetShared } from "./shared-settings.ts";
import { wrapMethods } from "./wrap-methods.ts";
import { isStale } from "#store/trends/refresh.ts";
import { getTrendState } from "#store/trends/postgres.ts";
import { Database } from "./database.ts";
import { PostgresEvents } from "./events.ts";
import { migrate } from "./migrate.ts";
import { refuseTransactionPooling } from "./pooler.ts";
import { createRateLimits } from "#store/tokens/rate-limits.postgres.ts";
import { displayName, describeOpenError } from "./open-errors.ts";
import { createRoutedReader, createRoutedSearch, createRoutedTokens } from "./routed-reads.ts";
import { rebuildSearchIndex } from "#store/search/rebuild.postgres.ts";
import type { MonotonicClock } from "./server.ts";
import { Servers } from "./servers.ts";
import { verify } from "./integrity.ts";
import { summarize } from "./summary.ts";
import { createTables } from "#store/copy/postgres.ts";
import { createWriter } from "#store/write/postgres.ts";
import type { Guard } from "./write-transactions.ts";
import { type OutageOptions, OutageRetry } from "./outage-retry.ts";

export interface PostgresOptions {
  /** postgres://user:password@host:5432/database */
  url: string;
  /** Streaming replicas for reads. */
  replicaUrls?: readonly string[];
  /** A replica that lags more is not used. */
  maxLagS?: number;
  /** For pg_stat_activity. */
  applicationName?: string;
  /** Per server. */
  readConnections?: number;
  writeConnections?: number;
  /** Decides the day of trends. If given, it also replaces the server's clock for rate limits. */
  clock?: () => number;
  readTimeoutMs?: number;
  /** Multiplies the times after which a server counts as slow or down; for tests on busy machines. */
  timeoutFactor?: number;
  /** For lags and outages. Tests let time pass. */
  monotonicClock?: MonotonicClock;
  /** For imports: calls wait for a database that is down. By default they fail after a moment. */
  outage?: OutageOptions;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Per statement, including the wait for writers that run alone. */
const WRITE_TIMEOUT_MS = 600_000;

/** Opened when a backup or an export starts, which keeps its connection for long. */
const SNAPSHOT_CONNECTIONS = 6;

const ACCESS_TIMEOUT_MS = 1_000;
const ACCESS_CONNECTIONS = 3;
const ACCESS_MAX_WAITING = 200;

const PING_TIMEOUT_MS = 1_400;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const name = displayName(options.url);
  const factor = options.timeoutFactor ?? 1;
  const shared = {
    url: options.url,
    connectTimeoutMs: CONNECT_TIMEOUT_MS * factor,
    applicationName: options.applicationName ?? "triptych",
  };
  const writePool = new Database({
    ...shared,
    connections: options.writeConnections ?? 4,
    statementTimeoutMs: WRITE_TIMEOUT_MS,
  });
  try {
    await refuseTransactionPooling(writePool, { ...shared, statementTimeoutMs: shared.connectTimeoutMs }, name);
    await migrate(writePool, name);
    await rebuildSearchIndex(writePool, name);
    const isDistributed = await hasCitus(writePool);
    // Tokens and rate limits must not wait behind imports, and fail fast rather than delay requests.
    const accessPool = new Database({
      ...shared,
      connectTimeoutMs: ACCESS_TIMEOUT_MS * factor,
      connections: ACCESS_CONNECTIONS,
      statementTimeoutMs: ACCESS_TIMEOUT_MS * factor,
      maxWaiting: ACCESS_MAX_WAITING,
    });
    const servers = new Servers({
      url: options.url,
      replicaUrls: options.replicaUrls ?? [],
      maxLagMs: (options.maxLagS ?? 2) * 1000,
      connections: options.readConnections ?? 16,
      statementTimeoutMs: options.readTimeoutMs ?? 1_500 * factor,
      timeoutFactor: factor,
      applicationName: shared.applicationName,
      otherPools: [accessPool],
      clock: options.monotonicClock ?? performance,
    });
    const events = new PostgresEvents({ ...shared, connectTimeoutMs: ACCESS_TIMEOUT_MS * factor });
    const snapshotPool = new Database({
      ...shared,
      connections: SNAPSHOT_CONNECTIONS,
      statementTimeoutMs: WRITE_TIMEOUT_MS,
    });
    return createStore({
      servers,
      writePool,
      snapshotPool,
      accessPool,
      events,
      outages: options.outage === undefined ? null : new OutageRetry(options.outage),
      isDistributed,
      clock: options.clock ?? null,
    });
  } catch (error) {
    await writePool.close();
    throw describeOpenError(error, name);
  }
}

/** With Citus installed, tables may be distributed over several machines. */
async function hasCitus(db: Database): Promise<boolean> {
  return (await db.get("SELECT 1 FROM pg_extension WHERE extname = 'citus'")) !== undefined;
}

function createPostgresJobs(db: Database): Jobs {
  const jobs = createJobs(shareSql(db), DIALECT);
  return {
    ...jobs,
    async finishJob(id, now) {
      const isDone = await jobs.finishJob(id, now);
      if (isDone) await analyzeTables(db);
      return isDone;
    },
  };
}

/** No client waits for an import, so it sits out a restart of the primary, or a check missed under load. */
const WRITE_WAIT_MS = 5_000;

interface Parts {
  servers: Servers;
  writePool: Database;
  snapshotPool: Database;
  accessPool: Database;
  events: PostgresEvents;
  outages: OutageRetry | null;
  isDistributed: boolean;
  clock: (() => number) | null;
}

function createStore(parts: Parts): Store {
  const { servers, writePool, snapshotPool, accessPool, events, outages, isDistributed, clock } = parts;
  const { primary } = servers;
  const tables = createTables(writePool, snapshotPool);

  const retry: Guard = (call) => (outages === null ? call() : outages.run(call));
  const onPrimary: Guard = (call) => retry(() => primary.run(call));
  const writingToPrimary: Guard = (call) => retry(() => primary.run(call, WRITE_WAIT_MS));
  const guarded = <Target extends object>(target: Target, guard: Guard): Target =>
    wrapMethods(target, (call) => guard(() => call(target)));

  /** Counts change events. Subscribes on first use: commands need no such connection. */
  let version: number | null = null;
  const dataVersion = (): number => {
    if (version === null) {
      version = 0;
      events.subscribe((event) => {
        const { about } = event;
        // No replica may show what was erased, or may have been while events were missed.
        if (about === "erasure" || about === "anything") servers.noteWrite();
        if (event.about === "token" && event.isNew !== true) servers.noteTokenWrite();
        if (about !== "token") version = (version ?? 0) + 1;
      });
    }
    return version;
  };

  const onWrite = () => {
    servers.noteWrite();
    // Without waiting for the event, so that this process sees its own writes.
    if (version !== null) version++;
  };
  const noteWrites = <Target extends object>(target: Target): Target =>
    wrapMethods(target, (call) => call(target).finally(onWrite));

  const hasRows = (table: string) =>
    onPrimary(async () => (await primary.db.get(`SELECT 1 FROM ${table} LIMIT 1`)) !== undefined);
  const getPurgePending = () => primary.run(async () => (await readPurgeState(primary.db)).pendingSince);
  const jobs = createPostgresJobs(writePool);
  const writer = noteWrites(createWriter(writePool, clock ?? Date.now, writingToPrimary));

  return {
    reader: cacheReaders((platform, mode) => guarded(createRoutedReader(servers, platform, mode), retry)),
    search: createRoutedSearch(servers),
    writer,
    tokens: createRoutedTokens(servers, accessPool),
    usage: guarded(createUsage(shareSql(accessPool)), onPrimary),
    jobs: {
      ...guarded(jobs, onPrimary),
      claimFile(claim, leaseMs, deadOwner) {
        let takenFrom = deadOwner;
        return onPrimary(() => {
          const outcome = jobs.claimFile(claim, leaseMs, takenFrom);
          // If the connection is lost, the claim may have been made: then it is taken over from this process itself.
          takenFrom = claim.owner;
          return outcome;
        });
      },
    },
    audit: guarded(createAuditTable(shareSql(writePool), DIALECT), onPrimary),
    retention: guarded(createRetentionTable(shareSql(writePool).sql), onPrimary),
    sources: guarded(createSourceLedger(shareSql(writePool), DIALECT), onPrimary),
    watches: guarded(createWatches(writePool, DIALECT), onPrimary),
    rateLimits: guarded(createRateLimits(accessPool, clock), onPrimary),
    events,
    encoder: rowEncoder,
    tables: {
      snapshot: (work) => primary.run(() => tables.snapshot(work)),
      fill: (work) => primary.run(() => tables.fill(work), WRITE_WAIT_MS).finally(onWrite),
    },
    noteWrite: onWrite,
    dataVersion,
    isEmpty: async () => !(await hasRows("records")),
    hasErased: () => hasRows("erased"),
    getPostsVersion: () => primary.run(async () => (await getTrendState(primary.db)).version),
    hasStaleTrends: () =>
      primary.run(async () => isStale(await getTrendState(primary.db), dayOf((clock ?? Date.now)()))),
    getOrSet: (name, value) => primary.run(() => getOrSetShared(writePool, name, value)),
    async ping() {
      await servers.read((server) => server.db.get("SELECT 1"), { timeoutMs: PING_TIMEOUT_MS });
    },
    summary: (now = (clock ?? Date.now)()) =>
      primary.run(() => writePool.withoutTimeout((sql) => summarize(sql, isDistributed, now))),
    verify: () => primary.run(() => verify(writePool)),
    async compact() {
      const isPurged = (await getPurgePending()) === null || (await writer.purgeErased());
      await primary.run(() =>
        writePool.withoutTimeout(
          async (sql) => void (await sql.run("VACUUM (INDEX_CLEANUP ON, TRUNCATE ON, ANALYZE)")),
        ),
      );
      return isPurged;
    },
    getPurgePending,
    async close() {
      await Promise.all([events.close(), servers.close(), writePool.close(), snapshotPool.close()]);
    },
  };
}
