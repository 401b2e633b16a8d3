/** One connection of the pool, for as long as somebody has it alone. Statements go in the order they were asked for. */
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { copyFromStdin, type Sending } from "./copy-from-stdin.ts";
import type { Sql } from "./sql.ts";
import { bound, statement, type Value } from "./statement.ts";

export class Connection implements Sql {
  readonly #client: PoolClient;
  /** How long to wait for an answer, where it is not as long as the pool says. */
  readonly #patience: { query_timeout?: number };
  /** Until the rows of the last statement are on their way: nothing may go between them. */
  #sent: Promise<void> = Promise.resolve();

  constructor(client: PoolClient, patienceMs?: number) {
    this.#client = client;
    this.#patience = patienceMs === undefined ? {} : { query_timeout: patienceMs };
  }

  async all<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#query(() => statement(text, values))).rows as Row[];
  }

  async allWithCustomPlan<Row>(text: string, ...values: Value[]): Promise<Row[]> {
    return (await this.#query(() => ({ text, values: values.map(bound) }))).rows as Row[];
  }

  async get<Row>(text: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0];
  }

  async run(text: string, ...values: Value[]): Promise<number> {
    return (await this.#query(() => statement(text, values))).rowCount ?? 0;
  }

  copy(text: string, parts: Iterable<string>): Promise<number> {
    return this.#inOrder(() => copyFromStdin(this.#client, text, parts));
  }

  #query(config: () => QueryConfig): Promise<QueryResult> {
    return this.#inOrder(() => ({ answer: this.#client.query({ ...config(), ...this.#patience }) }));
  }

  #inOrder<Answer>(send: () => Sending<Answer>): Promise<Answer> {
    const sending = this.#sent.then(send);
    // Whoever waits for the answer is told what went wrong.
    this.#sent = sending.then(({ sent }) => sent).catch(() => undefined);
    return sending.then(({ answer }) => answer);
  }
}
