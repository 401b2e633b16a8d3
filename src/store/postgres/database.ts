/**
 * Connections to PostgreSQL: a pool, prepared statements, transactions. Whoever asks sees plain rows: 64-bit integers
 * as numbers, texts as they were given.
 */
import { hash } from "node:crypto";
import { type CustomTypesConfig, Pool, type PoolClient, type QueryConfig, type QueryResult, types } from "pg";
import { ServerBusy } from "./faults.ts";
import { restored, storable } from "./storable-text.ts";

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Runs statements, on any connection or within one transaction. */
export interface Sql {
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** The same, planned for just these values instead of once for all. */
  planned<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  get<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
  /** The number of rows that were touched. */
  run(text: string, ...values: Value[]): Promise<number>;
}

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
  [types.builtins.TEXT, restored],
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
    throw new ServerBusy(`${this.#pool.waitingCount} wait for a connection`);
  }

  async all<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#open.query(statement(text, values))).rows as Row[];
  }

  async planned<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#open.query({ text, values: values.map(bound) })).rows as Row[];
  }

  async get<Row>(text: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0];
  }

  async run(text: string, ...values: Value[]): Promise<number> {
    return (await this.#open.query(statement(text, values))).rowCount ?? 0;
  }

  /** All statements that the work asks for go over one connection; those asked for at once are sent at once. */
  async connected<Result>(work: (sql: Sql) => Promise<Result>, patienceMs?: number): Promise<Result> {
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
    return this.connected(async (sql) => {
      await sql.run("BEGIN");
      // When the work fails its connection is closed, and with it the transaction.
      const result = await work(sql);
      await sql.run("COMMIT");
      return result;
    });
  }

  /** For work on whole tables: it takes the time it takes. */
  unhurried<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.connected(async (sql) => {
      await sql.run("SET statement_timeout = 0");
      const result = await work(sql);
      await sql.run("RESET statement_timeout");
      return result;
    }, FOREVER_MS);
  }

  /** Closes all connections without a word; whoever waits on one is told that it was lost. New ones are made at need. */
  abandon(): void {
    for (const client of this.#connections) client.connection.stream.destroy();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

class Connection implements Sql {
  readonly #client: PoolClient;
  /** How long to wait for an answer, where it is not as long as the pool says. */
  readonly #patience: { query_timeout?: number };

  constructor(client: PoolClient, patienceMs?: number) {
    this.#client = client;
    this.#patience = patienceMs === undefined ? {} : { query_timeout: patienceMs };
  }

  #query(config: QueryConfig): Promise<QueryResult> {
    return this.#client.query({ ...config, ...this.#patience });
  }

  async all<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#query(statement(text, values))).rows as Row[];
  }

  async planned<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#query({ text, values: values.map(bound) })).rows as Row[];
  }

  async get<Row>(text: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0];
  }

  async run(text: string, ...values: Value[]): Promise<number> {
    return (await this.#query(statement(text, values))).rowCount ?? 0;
  }
}

const names = new Map<string, string>();

/** Prepared once per connection, under a name that says its text: also where a pooler shares connections. */
function statement(text: string, values: Value[]): QueryConfig {
  // Without values there is nothing to prepare for: commands.
  if (values.length === 0) return { text };
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `triptych ${hash("sha1", text, "base64url")}`));
  return { name, text, values: values.map(bound) };
}

function bound(value: Value): unknown {
  if (typeof value === "string") return storable(value);
  return typeof value === "object" && value !== null ? storable(arrayOf(value)) : value;
}

/** An array as PostgreSQL writes it. Rows by the thousand come this way, so it is done in one pass. */
function arrayOf(items: readonly (string | number | boolean | null)[]): string {
  let array = "{";
  for (const item of items) {
    if (array.length > 1) array += ",";
    if (typeof item === "string") array += `"${item.replace(/["\\]/g, "\\$&")}"`;
    else array += item === null ? "NULL" : String(item);
  }
  return `${array}}`;
}
