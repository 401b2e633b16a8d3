/**
 * SQL that both engines run. Texts are in PostgreSQL's form: `$1` is the first value, `= ANY($1)` compares with a list.
 * What belongs to one transaction is a generator of steps. PostgreSQL awaits each step; SQLite, whose process has one
 * connection that writes, runs them without a pause, so nothing else gets into its transaction.
 */
import type { Query } from "./select.ts";
import type { Scalar, Table } from "./table.ts";

export type Value = Scalar | readonly Scalar[];
export type MaybePromise<Result> = Result | Promise<Result>;

/** `Row` is asserted, not checked. Rows may have no prototype: copy what is handed out. */
export interface Sql {
  all<Row>(text: Query<Row>, ...values: Value[]): MaybePromise<Row[]>;
  get<Row>(text: Query<Row>, ...values: Value[]): MaybePromise<Row | undefined>;
  /** Returns the number of affected rows. */
  run(text: string, ...values: Value[]): MaybePromise<number>;
}

/** `rows` is a table and a condition. */
export async function countRows(sql: Sql, rows: string, ...values: Value[]): Promise<number> {
  return (await sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, ...values))?.n ?? 0;
}

/** The keys of the rows must be distinct. */
export type WriteRows = <Row extends Record<keyof Row, Scalar>>(
  table: Table<Row>,
  rows: readonly NoInfer<Row>[],
) => MaybePromise<void>;

export interface SqlDatabase {
  sql: Sql;
  transaction: <Result>(work: (sql: SqlSteps) => Steps<Result>) => MaybePromise<Result>;
}

export type Steps<Result> = Generator<unknown, Result, unknown>;

/** Waits for a result, where waiting is needed. */
export function* step<Result>(result: MaybePromise<Result>): Steps<Result> {
  return (yield result) as Result;
}

/** A connection whose results are steps. */
export class SqlSteps {
  readonly #sql: Sql;
  readonly #upsert: WriteRows;
  readonly #insert: WriteRows;
  /** A dry run: nothing is written. */
  readonly isDry: boolean;

  constructor(sql: Sql, upsert: WriteRows, insert: WriteRows, isDry = false) {
    this.#sql = sql;
    this.#upsert = upsert;
    this.#insert = insert;
    this.isDry = isDry;
  }

  all<Row>(text: Query<Row>, ...values: Value[]): Steps<Row[]> {
    return step(this.#sql.all<Row>(text, ...values));
  }

  get<Row>(text: Query<Row>, ...values: Value[]): Steps<Row | undefined> {
    return step(this.#sql.get<Row>(text, ...values));
  }

  run(text: string, ...values: Value[]): Steps<number> {
    return step(this.#sql.run(text, ...values));
  }

  /** `rows` is a table and a condition. */
  *count(rows: string, ...values: Value[]): Steps<number> {
    return (yield* this.get<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, ...values))?.n ?? 0;
  }

  /** Deletes rows, given as a table and a condition, and returns columns of them. A dry run only returns them. */
  remove<Row>(columns: string, rows: string, ...values: Value[]): Steps<Row[]> {
    const text = this.isDry ? `SELECT ${columns} FROM ${rows}` : `DELETE FROM ${rows} RETURNING ${columns}`;
    return this.all<Row>(text, ...values);
  }

  /** The same for rows that are only counted. */
  removeCounted(rows: string, ...values: Value[]): Steps<number> {
    return this.isDry ? this.count(rows, ...values) : this.run(`DELETE FROM ${rows}`, ...values);
  }

  /** The same connection for a dry run: whatever would be written is ignored. */
  withoutWriting(): SqlSteps {
    const sql: Sql = {
      all: (text, ...values) => this.#sql.all(text, ...values),
      get: (text, ...values) => this.#sql.get(text, ...values),
      run: () => 0,
    };
    return new SqlSteps(
      sql,
      () => undefined,
      () => undefined,
      true,
    );
  }

  /** Inserts rows or replaces those with the same key. */
  upsert<Row extends Record<keyof Row, Scalar>>(table: Table<Row>, rows: readonly NoInfer<Row>[]): Steps<void> {
    return step(this.#upsert(table, rows));
  }

  /** Inserts rows with new keys. If another writer inserts one first, the transaction fails and is run again. */
  insert<Row extends Record<keyof Row, Scalar>>(table: Table<Row>, rows: readonly NoInfer<Row>[]): Steps<void> {
    return step(this.#insert(table, rows));
  }
}

export function runSync<Result>(steps: Steps<Result>): Result {
  let next = steps.next();
  while (next.done !== true) next = steps.next(next.value);
  return next.value;
}

export async function runAsync<Result>(steps: Steps<Result>): Promise<Result> {
  let next = steps.next();
  while (next.done !== true) next = steps.next(await next.value);
  return next.value;
}

/** Few enough for one statement. */
const BATCH_SIZE = 2_000;

export function* batchesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}
