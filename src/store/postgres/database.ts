/**
 * Connections to PostgreSQL: a pool, prepared statements, transactions. Whoever asks sees plain rows: 64-bit integers
 * as numbers, texts as they were given.
 */
import { type CustomTypesConfig, Pool, type PoolClient, types } from "pg";
import { Connection } from "./connection.ts";
import { PoolExhausted } from "./connection-errors.ts";
import type { Sql } from "./sql.ts";
import { bound, statement, type Value } from "./statement.ts";
import { fromStorable } from "./storable-text.ts";

export interface PoolSettings {
  url: string;
  connections: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  applicationName: string;
  /** More than so many do not wait for a connection: whoever comes then is refused at once. */
  maxWaiting?: number;
}

/** As long as a timer can run. */
const FOREVER_MS = 2 ** 31 - 1;

/** A transaction whose process stands still is ended, since others wait for it. */
const STANDSTILL_MS = 60_000;

const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.TEXT, fromStorable],
  [types.builtins.INT8, Number],
]);

const TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? types.getTypeParser(oid, format),
};

export class Database implements Sql {
  readonly #pool: Pool;
  readonly #maxWaiting: number;
  readonly #connections = new Set<PoolClient>();

  constructor(settings: PoolSettings) {
    const { url, connections, connectTimeoutMs, statementTimeoutMs, applicationName, maxWaiting } = settings;
    this.#maxWaiting = maxWaiting ?? Number.POSITIVE_INFINITY;
    this.#pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // The server keeps the time; this is for a server that does not answer at all.
      query_timeout: statementTimeoutMs + 1_000,
      idle_in_transaction_session_timeout: STANDSTILL_MS,
      application_name: applicationName,
      keepAlive: true,
      pipeline: true,
      types: TYPES,
    });
    // A connection that breaks is taken out of the pool; whoever waits on it is told by the statement that failed.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => {
      client.on("error", () => undefined);
      this.#connections.add(client);
      client.connection.once("end", () => this.#connections.delete(client));
    });
  }

  /** The pool, unless too many wait for it. */
  get #open(): Pool {
    if (this.#pool.waitingCount < this.#maxWaiting) return this.#pool;
    throw new PoolExhausted(`${this.#pool.waitingCount} wait for a connection`);
  }

  async all<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#open.query(statement(text, values))).rows as Row[];
  }

  async allWithCustomPlan<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#open.query({ text, values: values.map(bound) })).rows as Row[];
  }

  async get<Row>(text: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0];
  }

  async run(text: string, ...values: Value[]): Promise<number> {
    return (await this.#open.query(statement(text, values))).rowCount ?? 0;
  }

  copy(text: string, parts: Iterable<string>): Promise<number> {
    return this.withConnection((sql) => sql.copy(text, parts));
  }

  /** All statements that the work asks for go over one connection; those asked for at once are sent at once. */
  async withConnection<Result>(work: (sql: Sql) => Promise<Result>, patienceMs?: number): Promise<Result> {
    const client = await this.#open.connect();
    let failure: Error | undefined;
    try {
      return await work(new Connection(client, patienceMs));
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // What may still be under way on it is nobody's any more.
      client.release(failure);
    }
  }

  /** All or nothing. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.withConnection(async (sql) => {
      await sql.run("BEGIN");
      // When the work fails its connection is closed, and with it the transaction.
      const result = await work(sql);
      await sql.run("COMMIT");
      return result;
    });
  }

  /** For work on whole tables: it takes the time it takes. */
  withoutTimeout<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.withConnection(async (sql) => {
      await sql.run("SET statement_timeout = 0");
      const result = await work(sql);
      await sql.run("RESET statement_timeout");
      return result;
    }, FOREVER_MS);
  }

  /** Closes all connections without a word; whoever waits on one is told that it was lost. New ones are made at need. */
  destroyConnections(): void {
    for (const client of this.#connections) client.connection.stream.destroy();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
