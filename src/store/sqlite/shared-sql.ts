/** Runs the SQL that both stores share, whose texts are in PostgreSQL's form. */
import type { Query } from "#store/sql/select.ts";
import type { SQLInputValue } from "node:sqlite";
import type { Dialect } from "../sql/dialect.ts";
import { runSync, type Sql, type SqlDatabase, SqlSteps, type Value, type WriteRows } from "../sql/sql.ts";
import { columnNames, replaceOnConflict, type Scalar, type Table } from "../sql/table.ts";
import type { Database } from "./database.ts";

export const DIALECT: Dialect = {
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  skipLocked: "",
  locks: null,
  isMissingTable: (error) => error instanceof Error && error.message.startsWith("no such table: "),
};

export function shareSql(db: Database): SqlDatabase {
  const steps = stepsOn(db);
  return { sql: new SharedSql(db), transaction: (work) => db.transaction(() => runSync(work(steps))) };
}

export function stepsOn(db: Database): SqlSteps {
  const sql = new SharedSql(db);
  const upsert: WriteRows = (table, rows) => sql.upsert(table, rows);
  // There is one writer: nothing is inserted meanwhile.
  return new SqlSteps(sql, upsert, upsert);
}

interface Translated {
  text: string;
  /** The numbers of the values, in the order of their placeholders. */
  order: number[];
}

class SharedSql implements Sql {
  readonly #db: Database;
  readonly #translated = new Map<string, Translated>();

  constructor(db: Database) {
    this.#db = db;
  }

  all<Row>(text: Query<Row>, ...values: Value[]): Row[] {
    return this.#db.all<Row>(...this.#translate(text, values));
  }

  get<Row>(text: Query<Row>, ...values: Value[]): Row | undefined {
    return this.#db.get<Row>(...this.#translate(text, values));
  }

  run(text: string, ...values: Value[]): number {
    return this.#db.run(...this.#translate(text, values)).changes;
  }

  upsert<Row extends Record<keyof Row, Scalar>>(table: Table<Row>, rows: readonly Row[]): void {
    const columns = columnNames(table);
    const text = `INSERT INTO ${table.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
      ${replaceOnConflict(table)}`;
    for (const row of rows) this.#db.run(text, ...columns.map((column) => bindScalar(row[column])));
  }

  #translate(text: string, values: readonly Value[]): [text: string, ...values: SQLInputValue[]] {
    let translated = this.#translated.get(text);
    if (translated === undefined) this.#translated.set(text, (translated = translate(text)));
    const bound = translated.order.map((number) => bind(values[number - 1] as Value));
    if (!bound.some(isList)) return [translated.text, ...(bound as SQLInputValue[])];
    const items = bound.map((value) => (isList(value) ? value : [value]));
    const lists = items.values();
    const marks = () => Array.from(lists.next().value ?? [], () => "?").join(", ");
    return [translated.text.replaceAll("?", marks), ...items.flat()];
  }
}

/** `$1` becomes `?`, and `= ANY($1)` becomes `IN (?)`. */
function translate(text: string): Translated {
  const order: number[] = [];
  const translated = text.replaceAll(/(= ANY\()?\$(\d+)/g, (_, list: string | undefined, number: string) => {
    order.push(Number(number));
    return list === undefined ? "?" : "IN (?";
  });
  return { text: translated, order };
}

/** Lists are padded with repeats to a power of two, so that few texts have to be prepared. */
function bind(value: Value): SQLInputValue | SQLInputValue[] {
  if (!isList(value)) return bindScalar(value);
  const size = value.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(value.length));
  return Array.from({ length: size }, (_, index) => bindScalar(value[index % value.length] as Scalar));
}

function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value);
}

export function bindScalar(value: Scalar): SQLInputValue {
  return typeof value === "boolean" ? Number(value) : value;
}
