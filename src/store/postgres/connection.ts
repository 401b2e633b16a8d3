/** One pooled connection, used exclusively. Statements are pipelined and run in the order they were issued. */
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { copyFromStdin, type Sending } from "./copy-from-stdin.ts";
import { Sql } from "./sql.ts";

export class Connection extends Sql {
  readonly #client: PoolClient;
  /** Overrides the pool's timeout. */
  readonly #timeout: { query_timeout?: number };
  /** Resolves when the rows of the last COPY are sent: nothing may be sent between them. */
  #sent: Promise<void> = Promise.resolve();

  constructor(client: PoolClient, timeoutMs?: number) {
    super();
    this.#client = client;
    this.#timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  }

  copy(text: string, chunks: Iterable<string>): Promise<number> {
    return this.#inOrder(() => copyFromStdin(this.#client, text, chunks));
  }

  protected query(createConfig: () => QueryConfig): Promise<QueryResult> {
    return this.#inOrder(() => ({ result: this.#client.query({ ...createConfig(), ...this.#timeout }) }));
  }

  #inOrder<Result>(send: () => Sending<Result>): Promise<Result> {
    const sending = this.#sent.then(send);
    // A failure is reported through `result`.
    this.#sent = sending.then(({ sent }) => sent).catch(() => undefined);
    return sending.then(({ result }) => result);
  }
}
