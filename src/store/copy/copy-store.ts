/**
 * Copies a store into another, whatever kind each is, and proves it. The target remembers how far it is in the same
 * transaction as the rows, so a copy that is cut off anywhere goes on where it was.
 */
import type { CopyRow, CopyTable, TableCopy, CopyProgress } from "../table-copy.ts";
import { digestOf, isSameTotal, groupOf, Checksum, type Total } from "./checksums.ts";
import { compareStores, type PartReport } from "./verification.ts";

export interface CopyReport {
  /** Rows that this run copied; those of earlier runs are not among them. */
  copied: number;
  parts: PartReport[];
  /** Parts that were written to in the source since they were copied. */
  changedMeanwhile: string[];
  same: boolean;
}

export interface CopyStage {
  doing: "copying" | "checking";
  table: string;
  rows: number;
  /** Of both stores when checking. */
  rowsTotal: number;
}

/** The two stores cannot be copied one into the other; the message says why, in one sentence. */
export class CopyRefused extends Error {
  override name = "CopyRefused";
}

export async function copyStore(
  source: TableCopy,
  target: TableCopy,
  progress: (stage: CopyStage) => void = () => undefined,
): Promise<CopyReport> {
  const sourceId = await source.storeId();
  if ((await source.progress()).length > 0) {
    throw new CopyRefused("the source is itself a copy that was cut off; give its own command again first");
  }
  const begun = await assertFit(target, sourceId);
  let rowsTotal = 0;
  for (const { name } of source.tables) rowsTotal += await source.count(name);
  let copied = 0;
  let seen = [...begun.values()].reduce((sum, { checksums: tallies }) => sum + rowsOf(tallies), 0);
  const totals = new Map<string, Total>();
  for (const table of source.tables) {
    const first = begun.get(table.name) ?? null;
    const done = await copyTable(source, target, table, first, sourceId, (rows) => {
      copied += rows;
      seen += rows;
      progress({ doing: "copying", table: table.name, rows: seen, rowsTotal });
    });
    for (const [part, total] of Object.entries(done.checksums)) totals.set(part, total);
  }
  let compared = 0;
  const parts = await compareStores(source, target, (table, rows) => {
    compared += rows;
    progress({ doing: "checking", table, rows: compared, rowsTotal: rowsTotal * 2 });
  });
  const same = parts.every((part) => part.same);
  if (same) await target.finish();
  return { copied, parts, changedMeanwhile: changedSince(totals, parts), same };
}

/** What the target holds of this copy already. */
async function assertFit(target: TableCopy, sourceId: string): Promise<Map<string, CopyProgress>> {
  if ((await target.storeId()) === sourceId) throw new CopyRefused("--from and --to are the same store");
  const held = await target.progress();
  if (held.some(({ source }) => source !== sourceId)) {
    throw new CopyRefused("the target holds part of a copy of another store; give --to an empty folder or database");
  }
  if (held.length === 0) await assertEmpty(target);
  return new Map(held.map((progress) => [progress.table, progress]));
}

async function assertEmpty(target: TableCopy): Promise<void> {
  for (const { name } of target.tables) {
    const { rows } = await target.read(name, "key", null, 1);
    if (rows.length > 0) {
      throw new CopyRefused(
        `the target is not empty (it holds ${name.replace("_", " ")}); give --to an empty folder or database`,
      );
    }
  }
}

async function copyTable(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  begun: CopyProgress | null,
  sourceId: string,
  wrote: (rows: number) => void,
): Promise<CopyProgress> {
  if (begun?.done === true) return begun;
  const tallies = new Map(Object.entries(begun?.checksums ?? {}).map(([part, total]) => [part, Checksum.from(total)]));
  let before = begun;
  let next = source.read(table.name, "insertion", begun?.pageToken ?? null, table.batchSize);
  for (;;) {
    const { rows, nextPageToken: mark } = await next;
    // The source reads on while the target writes.
    if (mark !== null) next = readAhead(source, table, mark);
    count(tallies, table, rows);
    const after: CopyProgress = {
      table: table.name,
      source: sourceId,
      pageToken: mark,
      done: mark === null,
      checksums: Object.fromEntries([...tallies].map(([part, tally]) => [part, tally.total])),
    };
    await target.write(rows, after, before);
    wrote(rows.length);
    if (mark === null) return after;
    before = after;
  }
}

function readAhead(source: TableCopy, table: CopyTable, mark: string): ReturnType<TableCopy["read"]> {
  const page = source.read(table.name, "insertion", mark, table.batchSize);
  // If the write before it fails, nobody waits for this page any more.
  page.catch(() => undefined);
  return page;
}

function count(tallies: Map<string, Checksum>, table: CopyTable, rows: readonly CopyRow[]): void {
  for (const row of rows) {
    const part = groupOf(table, row);
    let tally = tallies.get(part);
    if (tally === undefined) tallies.set(part, (tally = new Checksum()));
    tally.add(digestOf(row));
  }
}

function rowsOf(tallies: CopyProgress["checksums"]): number {
  return Object.values(tallies).reduce((sum, { rows }) => sum + rows, 0);
}

function changedSince(totals: ReadonlyMap<string, Total>, parts: readonly PartReport[]): string[] {
  const none = new Checksum().total;
  return parts.filter(({ part, source }) => !isSameTotal(source, totals.get(part) ?? none)).map(({ part }) => part);
}
