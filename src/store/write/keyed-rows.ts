/** Rows that a key of several columns identifies, in a table of one kind: comments, subtitles, follows, chart entries. */
import type { PlatformName } from "#domain/record.ts";
import { zip } from "#domain/zip.ts";
import type { Expiry } from "#domain/retention.ts";
import type { SqlSteps, Steps, Value } from "#store/sql/sql.ts";
import type { Scalar } from "#store/sql/table.ts";
import { compositeKey } from "#store/undo/port.ts";
import type { Concern, KeyedRows, Rekeying, Selection } from "./concern.ts";
import type { KeyColumns, RecordSteps } from "./unit.ts";

export interface Where {
  condition: string;
  values: Value[];
}

/** The verbs that delete and count such rows. */
export function keyedRows(rows: KeyedRows): Concern & { rows: KeyedRows } {
  const { kind, table } = rows;
  return {
    rows,
    *remove(unit, selection) {
      const removed = [];
      for (const { condition, values } of whereSelected(unit, rows, selection)) {
        const { names, fromKey } = columnsOf(unit, rows);
        const deleted = yield* unit.sql.remove<Record<string, Scalar> & { platform: PlatformName }>(
          `platform, ${names}`,
          `${table} WHERE ${condition}`,
          ...values,
        );
        for (const row of deleted) {
          removed.push({ platform: row.platform, key: keyOf(rows, { ...row, ...fromKey(row.platform, row) }) });
        }
      }
      return [{ kind, count: removed.length, rows: removed }];
    },
    *count(unit, expiry) {
      return expiry.kind === kind ? yield* countDue(unit.sql, table, expiry) : 0;
    },
  };
}

function columnsOf(unit: RecordSteps, { key, columnsOf: ofEngine }: KeyedRows): KeyColumns {
  return ofEngine?.(unit) ?? { names: key.join(", "), toKey: (values) => values, fromKey: (_platform, row) => row };
}

/** SQLite has no booleans. */
function keyOf({ key }: KeyedRows, row: Record<string, Scalar>): string {
  return compositeKey(
    ...key.map((column) => (column === "automatic" ? Boolean(row[column]) : (row[column] as string | number))),
  );
}

function whereSelected(unit: RecordSteps, rows: KeyedRows, selection: Selection): Where[] {
  if ("source" in selection) return [{ condition: "source = $1", values: [selection.source] }];
  if ("expiry" in selection) {
    const { expiry, limit } = selection;
    const key = `platform, ${columnsOf(unit, rows).names}`;
    return expiry.kind === rows.kind ? [someOf(rows.table, key, whereDue(expiry), limit)] : [];
  }
  const { platform } = selection;
  if ("keys" in selection) {
    return selection.kind === rows.kind ? selection.keys.map((key) => whereKey(unit, rows, platform, key)) : [];
  }
  const columns = rows.owners[selection.of] ?? [];
  return columns.map((column) => ({
    condition: `${column} = ANY($1) AND platform = $2`,
    values: [selection.ids, platform],
  }));
}

export function whereKey(unit: RecordSteps, rows: KeyedRows, platform: PlatformName, key: string): Where {
  const named = Object.fromEntries(zip(rows.key, JSON.parse(key) as Scalar[]));
  const columns = columnsOf(unit, rows).toKey({ platform, ...named });
  const condition = Object.keys(columns)
    .map((column, index) => `${column} = $${index + 1}`)
    .join(" AND ");
  return { condition, values: Object.values(columns) };
}

/** The indexes by source begin with the platform. */
export const ANY_PLATFORM = "platform IN (SELECT DISTINCT platform FROM search_partitions)";

/** The history of counters has no source. */
export function whereDue({ kind, source, except, before }: Expiry): Where {
  const condition = `captured_at < $1 AND ${ANY_PLATFORM}`;
  if (kind === "history") return { condition, values: [before] };
  if (source !== null) return { condition: `${condition} AND source = $2`, values: [before, source] };
  if (except.length === 0) return { condition, values: [before] };
  return { condition: `${condition} AND NOT (source = ANY($2))`, values: [before, except] };
}

/** At most `limit` of the rows. */
export function someOf(table: string, key: string, { condition, values }: Where, limit: number): Where {
  return { condition: `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit})`, values };
}

export function countDue(sql: SqlSteps, table: string, expiry: Expiry): Steps<number> {
  const { condition, values } = whereDue(expiry);
  return sql.count(`${table} WHERE ${condition}`, ...values);
}

/** A table with a column that holds an account's id. */
interface MovedTable {
  name: string;
  column: string;
  /** The other columns of the primary key, and those that are not part of it. */
  key: string;
  rest: readonly string[];
  condition?: string;
  /** The columns of two rows that become one; by default, the row of the account that is moved stays. */
  updates?: string;
}

/** Inserts rows under the new id and deletes them under the old one: Citus cannot move a row whose key changes. */
export function* moveRows(
  sql: SqlSteps,
  table: MovedTable,
  { platform, from, to }: Omit<Rekeying, "merge">,
): Steps<void> {
  const { name, column, key, rest, condition = "" } = table;
  const others = [key, ...rest].join(", ");
  const updates = table.updates ?? rest.map((other) => `${other} = excluded.${other}`).join(", ");
  yield* sql.run(
    `INSERT INTO ${name} (${column}, ${others}) SELECT CAST($1 AS text), ${others} FROM ${name}
     WHERE ${column} = $2 AND platform = $3 ${condition}
     ON CONFLICT (${column}, ${key}) DO ${updates === "" ? "NOTHING" : `UPDATE SET ${updates}`}`,
    to,
    from,
    platform,
  );
  yield* sql.run(`DELETE FROM ${name} WHERE ${column} = $1 AND platform = $2 ${condition}`, from, platform);
}
