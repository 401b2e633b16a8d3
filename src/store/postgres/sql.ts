import type { Query } from "#store/sql/select.ts";
import type { QueryConfig, QueryResult } from "pg";
import type { Value } from "../sql/sql.ts";
import { bind, prepare } from "./statement.ts";
import { perfCounters } from "#domain/perf-counters.ts";

/** Runs statements, on any pooled connection or on one connection. `Row` is asserted, not checked. */
export abstract class Sql {
  /** Values are formatted only when the statement is sent: while the server works on those before it. */
  protected abstract query(createConfig: () => QueryConfig): Promise<QueryResult>;

  /** COPY … FROM STDIN. The chunks of lines are produced as fast as the server takes them. Returns the row count. */
  abstract copy(text: string, chunks: Iterable<string>): Promise<number>;

  async all<Row>(text: Query<Row>, ...values: Value[]): Promise<Row[]> {
    return (await this.#send(() => prepare(text, values))).rows as Row[];
  }

  /** Plans the statement for these values instead of reusing a prepared plan. */
  async allWithCustomPlan<Row>(text: Query<Row>, ...values: Value[]): Promise<Row[]> {
    return (await this.#send(() => ({ text, values: values.map(bind) }))).rows as Row[];
  }

  async get<Row>(text: Query<Row>, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all<Row>(text, ...values))[0];
  }

  /** Returns the number of affected rows. */
  async run(text: string, ...values: Value[]): Promise<number> {
    return (await this.#send(() => prepare(text, values))).rowCount ?? 0;
  }

  #send(createConfig: () => QueryConfig): Promise<QueryResult> {
    perfCounters.statements++;
    return this.query(createConfig);
  }
}
