/**
 * The store on PostgreSQL: any number of processes share it. Records are read from any server that is fresh enough; all
 * else, and every write, is the primary's.
 */
import type { PlatformName } from "#domain/record.ts";
import { createRowEncoder } from "../row-encoder.ts";
import type { RenderMode } from "#domain/projection.ts";
import type { Natives, Reader, Store, Writer } from "../store.ts";
import { getOrSetShared } from "./shared-settings.ts";
import { wrapMethods } from "./wrap-methods.ts";
import { createTableCopy } from "./table-copy.ts";
import { Database } from "./database.ts";
import { PostgresEvents } from "./events.ts";
import { createJobs } from "./jobs.ts";
import { migrate } from "./migrate.ts";
import { createRateLimits } from "./rate-limits.ts";
import { displayName, describeOpenError } from "./open-errors.ts";
import { createRoutedReader, createRoutedTokens } from "./routed-reads.ts";
import { openServers, type Servers } from "./servers.ts";
import { summarize, verify } from "./integrity.ts";
import { createWriter } from "./writer.ts";

export interface PostgresOptions {
  /** postgres://user:password@host:5432/database */
  url: string;
  /** Of streaming replicas that may answer questions. */
  replicaUrls?: readonly string[];
  /** How many seconds they may be behind. */
  maxLagS?: number;
  /** Shown in the server's list of connections. */
  applicationName?: string;
  /** To each server. */
  readConnections?: number;
  writeConnections?: number;
  accessConnections?: number;
  connectTimeoutMs?: number;
  /** Says which day trends are of; when given, also how fast limits refill, which is otherwise the server's word. */
  clock?: () => number;
  /** How long one question may take. */
  readTimeoutMs?: number;
  /** How long one statement of a write may take, waiting for its turn included. */
  writeTimeoutMs?: number;
  /** Multiplies the times after which a server counts as slow or away; for tests, whose machine may be busy. */
  timeoutFactor?: number;
}

const ACCESS_TIMEOUT_MS = 1_000;
const ACCESS_MAX_WAITING = 200;

/** For whoever wants to know whether the store answers at all. */
const PING_PATIENCE_MS = 1_400;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const where = displayName(options.url);
  const factor = options.timeoutFactor ?? 1;
  const shared = {
    url: options.url,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000 * factor,
    applicationName: options.applicationName ?? "triptych",
  };
  const writing = new Database({
    ...shared,
    connections: options.writeConnections ?? 4,
    statementTimeoutMs: options.writeTimeoutMs ?? 600_000,
  });
  try {
    await migrate(writing, where);
    const spread = await isSpread(writing);
    const writer = createWriter(writing, options.clock ?? Date.now);
    await writer.rollOverTrends();
    // Tokens and limits do not wait behind imports, and rather fail soon than make requests wait.
    const access = new Database({
      ...shared,
      connectTimeoutMs: Math.min(shared.connectTimeoutMs, ACCESS_TIMEOUT_MS * factor),
      connections: options.accessConnections ?? 3,
      statementTimeoutMs: ACCESS_TIMEOUT_MS * factor,
      maxWaiting: ACCESS_MAX_WAITING,
    });
    const servers = openServers({
      url: options.url,
      replicaUrls: options.replicaUrls ?? [],
      maxLagMs: (options.maxLagS ?? 2) * 1000,
      connections: options.readConnections ?? 16,
      statementTimeoutMs: options.readTimeoutMs ?? 1_500 * factor,
      timeoutFactor: factor,
      applicationName: shared.applicationName,
      others: [access],
    });
    const events = new PostgresEvents({ ...shared, connectTimeoutMs: ACCESS_TIMEOUT_MS * factor });
    return storeOn({ servers, writing, access, events, writer, spread, clock: options.clock ?? null });
  } catch (error) {
    await writing.close();
    throw describeOpenError(error, where);
  }
}

/** Whether the tables may be spread over machines by the extension Citus. */
async function isSpread(db: Database): Promise<boolean> {
  return (await db.get("SELECT 1 FROM pg_extension WHERE extname = 'citus'")) !== undefined;
}

/** Nobody waits for imports: they are not given up for a primary that is restarted, or that misses a check under load. */
const WRITE_PATIENCE_MS = 5_000;

interface Parts {
  servers: Servers;
  writing: Database;
  access: Database;
  events: PostgresEvents;
  writer: Writer;
  spread: boolean;
  clock: (() => number) | null;
}

function storeOn({ servers, writing, access, events, writer, spread, clock }: Parts): Store {
  const { routing, primary } = servers;
  const readers = new Map<string, Reader>();

  /** Refused while the primary is known to be away; with patience, when it is for longer. */
  const onPrimary = <Target extends object>(target: Target, patienceMs = 0): Target =>
    wrapMethods(target, (call) => primary.run(() => call(target), patienceMs));

  /** Follows what nodes are told of writes, from the first time it is asked for: commands need no such connection. */
  let version: number | null = null;
  const dataVersion = (): number => {
    if (version === null) {
      version = 0;
      events.subscribe(({ about }) => {
        if (about !== "token") version = (version ?? 0) + 1;
      });
    }
    return version;
  };

  const writtenBy = <Target extends object>(target: Target): Target => {
    const guarded = onPrimary(target, WRITE_PATIENCE_MS);
    const wrote = () => {
      routing.wrote();
      // Not only when the notification comes: who writes and reads here sees its own write.
      if (version !== null) version++;
    };
    return wrapMethods(guarded, (call) => call(guarded).finally(wrote));
  };

  const isAny = (table: string) =>
    primary.run(async () => (await primary.db.get(`SELECT 1 FROM ${table} LIMIT 1`)) !== undefined);

  return {
    reader<N extends Natives>(platform: PlatformName, form: RenderMode = "object"): Reader<N> {
      const key = `${platform} ${form}`;
      let reader = readers.get(key);
      if (reader === undefined) readers.set(key, (reader = createRoutedReader(servers, platform, spread, form)));
      return reader as unknown as Reader<N>;
    },
    writer: writtenBy(writer),
    tokens: createRoutedTokens(servers, access),
    jobs: onPrimary(createJobs(writing)),
    rateLimits: onPrimary(createRateLimits(access, clock)),
    events,
    encoder: createRowEncoder,
    tableCopy: writtenBy(createTableCopy(writing, clock ?? Date.now)),
    dataVersion: dataVersion,
    // Of the whole store, and decided upon: never from a replica.
    isEmpty: async () => !(await isAny("records")),
    hasErased: () => isAny("erased"),
    getOrSet: (name, value) => primary.run(() => getOrSetShared(writing, name, value)),
    async ping() {
      await routing.read((server) => server.db.get("SELECT 1"), { patienceMs: PING_PATIENCE_MS });
    },
    summary: () => primary.run(() => writing.withoutTimeout((sql) => summarize(sql, spread))),
    verify: () => primary.run(() => verify(writing)),
    async close() {
      await Promise.all([events.close(), servers.close(), writing.close()]);
    },
  };
}
