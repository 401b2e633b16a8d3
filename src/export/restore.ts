/** Fills an empty store with the rows of another one, and reads them back before it commits. */
import { StoreNotEmpty, TABLE_NAMES, type TableBatch, type Tables } from "#store/copy/port.ts";
import { BackupError } from "./backup-error.ts";
import type { OnRows } from "./backup-file.ts";
import { differingTables, Totals, type TableTotals } from "./totals.ts";

export interface RestoreReport {
  /** As the target has them. */
  tables: TableTotals;
  /** Rows left out, since the target has erased what they are about. */
  skipped: number;
}

/**
 * If the target has erased anybody, the source is read three times: its accounts may come after what refers to them, and
 * the names of imported files, which may be ids of posts, come first.
 */
export async function restoreTables(
  source: () => AsyncIterable<TableBatch>,
  target: Tables,
  onRows: OnRows,
): Promise<RestoreReport> {
  try {
    return await target.fill(async (writer) => {
      if ((await Array.fromAsync(writer.read("erased"))).length > 0) {
        for (const kind of ["account", "post"] as const)
          for await (const batch of source()) await writer.learn(batch, kind);
      }
      const expected = new Totals();
      let skipped = 0;
      for (const table of ["erased", "tokens"] as const)
        for await (const rows of writer.read(table)) expected.add(table, rows);
      for await (const { table, rows } of source()) {
        const left = await writer.write({ table, rows });
        expected.add(table, rows);
        expected.subtract(table, left.skipped);
        expected.add("erased", left.learnt);
        for (const { before, after } of left.changed) {
          expected.subtract(table, [before]);
          expected.add(table, [after]);
        }
        if (table !== "erased" && table !== "tokens") skipped += left.skipped.length;
        onRows(table, rows.length);
      }
      const written = new Totals();
      for (const table of TABLE_NAMES) for await (const rows of writer.read(table)) written.add(table, rows);
      const [differing] = differingTables(expected.tables, written.tables);
      if (differing !== undefined) {
        throw new BackupError(
          `the target returned other ${differing.replace("_", " ")} than were written; nothing was restored`,
        );
      }
      return { tables: written.tables, skipped };
    });
  } catch (error) {
    if (!(error instanceof StoreNotEmpty)) throw error;
    throw new BackupError(`${error.message}; choose an empty data directory or database`, { cause: error });
  }
}
