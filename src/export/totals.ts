/**
 * Count and checksum of a table: the SHA-256 of each row as JSON, added up. It reveals lost, repeated and changed rows
 * and does not depend on their order, which differs between stores.
 */
import { hash } from "node:crypto";
import { fromNames } from "#domain/from-names.ts";
import { TABLE_NAMES, type TableName, type TableRow } from "#store/copy/port.ts";

export interface TableTotal {
  rows: number;
  /** 64 hexadecimal digits. */
  sum: string;
}

export type TableTotals = Record<TableName, TableTotal>;

export const NO_ROWS: TableTotal = { rows: 0, sum: "0".repeat(64) };

export class Totals {
  readonly #totals = new Map<TableName, { rows: number; sum: bigint }>();

  add(table: TableName, rows: readonly TableRow[]): void {
    for (const row of rows) this.addJson(table, JSON.stringify(row));
  }

  addJson(table: TableName, row: string): void {
    this.#change(table, 1, digestOf(row));
  }

  subtract(table: TableName, rows: readonly TableRow[]): void {
    for (const row of rows) this.#change(table, -1, -digestOf(JSON.stringify(row)));
  }

  #change(table: TableName, rows: 1 | -1, digest: bigint): void {
    const total = this.#totals.get(table) ?? { rows: 0, sum: 0n };
    this.#totals.set(table, { rows: total.rows + rows, sum: total.sum + digest });
  }

  get tables(): TableTotals {
    return fromNames(TABLE_NAMES, (table) => {
      const { rows, sum } = this.#totals.get(table) ?? { rows: 0, sum: 0n };
      return { rows, sum: BigInt.asUintN(256, sum).toString(16).padStart(64, "0") };
    });
  }
}

function digestOf(row: string): bigint {
  return BigInt(`0x${hash("sha256", row, "hex")}`);
}

export function differingTables(some: TableTotals, others: TableTotals): TableName[] {
  return TABLE_NAMES.filter(
    (table) => some[table].rows !== others[table].rows || some[table].sum !== others[table].sum,
  );
}
