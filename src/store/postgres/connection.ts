/** One pooled connection, used exclusively. Statements are pipelined and run in the order they were issued. */
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { errorCode } from "#domain/error-code.ts";
import { copyFromStdin, type Sending } from "./copy-from-stdin.ts";
import { Sql } from "./sql.ts";

/** SQLSTATE in_failed_sql_transaction. */
const TRANSACTION_ABORTED = "25P02";

export class Connection extends Sql {
  readonly #client: PoolClient;
  /** Overrides the pool's timeout. */
  readonly #timeout: { query_timeout?: number };
  /** Resolves when the rows of the last COPY are sent: nothing may be sent between them. */
  #sent: Promise<void> = Promise.resolve();
  /** The first one. The statements sent after it fail too, because it aborted the transaction, and their errors say no more. */
  #failure: unknown;

  constructor(client: PoolClient, timeoutMs?: number) {
    super();
    this.#client = client;
    this.#timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  }

  /** The server's process, as announced at login. */
  get announcedProcessId(): number | null {
    return (this.#client as PoolClient & { processID: number | null }).processID;
  }

  copy(text: string, chunks: Iterable<string>): Promise<number> {
    return this.#inOrder(() => copyFromStdin(this.#client, text, chunks));
  }

  protected query(createConfig: () => QueryConfig): Promise<QueryResult> {
    return this.#inOrder(() => ({ result: this.#client.query({ ...createConfig(), ...this.#timeout }) }));
  }

  async #inOrder<Result>(send: () => Sending<Result>): Promise<Result> {
    const sending = this.#sent.then(() => {
      const statement = send();
      statement.result.catch((error: unknown) => (this.#failure ??= error));
      return statement;
    });
    // A failure is reported through `result`.
    this.#sent = sending.then(({ sent }) => sent).catch(() => undefined);
    try {
      return await (
        await sending
      ).result;
    } catch (error) {
      throw errorCode(error) === TRANSACTION_ABORTED ? this.#failure : error;
    }
  }
}
