/** A connection pool with prepared statements and transactions. Rows have 64-bit integers as numbers. */
import { toError } from "#domain/to-error.ts";
import { type CustomTypesConfig, Pool, type PoolClient, type QueryConfig, type QueryResult, types } from "pg";
import { Connection } from "./connection.ts";
import { ConnectionError } from "./connection-errors.ts";
import { Sql } from "./sql.ts";
import { fromStorable } from "./storable-text.ts";

export interface PoolSettings {
  url: string;
  connections: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  applicationName: string;
  /** With this many waiting for a connection, further queries fail immediately. */
  maxWaiting?: number;
}

/** The longest delay that a timer accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The server aborts a transaction whose process hangs, since others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * The last two are lifted: limits of the role or the database would end long writes and backups. Only PostgreSQL 17 and
 * later know the last. All are set by a statement, since a pooler may refuse them as parameters of the connection.
 */
function setLimits(statementTimeoutMs: number): string {
  return `SELECT set_config(name, value, false) FROM (VALUES ('statement_timeout', '${statementTimeoutMs}'),
      ('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}'), ('lock_timeout', '0'), ('transaction_timeout', '0')
    ) AS limits (name, value) WHERE current_setting(name, true) IS NOT NULL`;
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.TEXT, fromStorable],
  [types.builtins.INT8, Number],
]);

const TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? types.getTypeParser(oid, format),
};

export class Database extends Sql {
  readonly #pool: Pool;
  readonly #maxWaiting: number;
  readonly #statementTimeoutMs: number;
  readonly #connections = new Set<PoolClient>();

  constructor(settings: PoolSettings) {
    super();
    const { url, connections, connectTimeoutMs, statementTimeoutMs, applicationName, maxWaiting } = settings;
    this.#maxWaiting = maxWaiting ?? Number.POSITIVE_INFINITY;
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectTimeoutMs,
      // The server enforces the timeout; this one is for a server that does not respond at all.
      query_timeout: statementTimeoutMs + 1_000,
      application_name: applicationName,
      keepAlive: true,
      pipeline: true,
      types: TYPES,
    });
    // The pool drops a broken connection; its pending statements fail by themselves.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => {
      client.on("error", () => undefined);
      // Sent before anything else. If it fails, so do the statements sent behind it, with the same error.
      client.query(setLimits(statementTimeoutMs)).catch((error: Error) => client.connection.stream.destroy(error));
      this.#connections.add(client);
      client.connection.once("end", () => this.#connections.delete(client));
    });
  }

  /** The pool, unless too many queries wait for it. */
  get #admittingPool(): Pool {
    const { waitingCount } = this.#pool;
    if (waitingCount < this.#maxWaiting) return this.#pool;
    throw new ConnectionError("busy", `${waitingCount} queries are waiting for a connection`);
  }

  protected async query(createConfig: () => QueryConfig): Promise<QueryResult> {
    return this.#admittingPool.query(createConfig());
  }

  copy(text: string, chunks: Iterable<string>): Promise<number> {
    return this.withConnection((sql) => sql.copy(text, chunks));
  }

  /** Runs the work on one connection. Statements issued together are sent together. */
  async withConnection<Result>(work: (sql: Connection) => Promise<Result>, timeoutMs?: number): Promise<Result> {
    const client = await this.#admittingPool.connect();
    let failure: Error | undefined;
    try {
      return await work(new Connection(client, timeoutMs));
    } catch (error) {
      failure = toError(error);
      throw error;
    } finally {
      // After a failure statements may still be pending on it: an error makes the pool close the connection.
      client.release(failure);
    }
  }

  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.withConnection(async (sql) => {
      await sql.run("BEGIN");
      // When the work fails, its connection is closed, which rolls the transaction back.
      const result = await work(sql);
      await sql.run("COMMIT");
      return result;
    });
  }

  /** For work on whole tables. */
  withoutTimeout<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.withConnection(async (sql) => {
      await sql.run("SET statement_timeout = 0");
      const result = await work(sql);
      await sql.run(`SET statement_timeout = ${this.#statementTimeoutMs}`);
      return result;
    }, MAX_TIMER_MS);
  }

  /** Destroys all sockets; pending queries fail. The pool reconnects on demand. */
  destroyConnections(): void {
    for (const client of this.#connections) client.connection.stream.destroy();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
