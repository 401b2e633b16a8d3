/**
 * Copies a store into another one of any kind, and verifies the copy. The target stores the progress in the same
 * transaction as the rows, so an interrupted copy resumes where it stopped.
 */
import type { CopyProgress, CopyRow, CopyTable, TableCopy } from "../table-copy.ts";
import { Checksum, digestOf, EMPTY_TOTAL, groupOf, isSameTotal, type Total } from "./checksums.ts";
import { compareStores, type PartReport } from "./verification.ts";

export interface CopyReport {
  /** Rows copied by this run, without those of earlier runs. */
  copied: number;
  parts: PartReport[];
  /** Parts that were written to in the source after they were copied. */
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

/** The copy cannot start. The message says why, in one sentence. */
export class CopyRefused extends Error {
  override name = "CopyRefused";
}

export async function copyStore(
  source: TableCopy,
  target: TableCopy,
  onProgress: (stage: CopyStage) => void = () => undefined,
): Promise<CopyReport> {
  const sourceId = await source.storeId();
  if ((await source.progress()).length > 0) {
    throw new CopyRefused("the source is an incomplete copy; finish it first by running its copy command again");
  }
  const started = await getStartedTables(target, sourceId);
  let rowsTotal = 0;
  for (const { name } of source.tables) rowsTotal += await source.count(name);
  let copied = 0;
  let rowsDone = [...started.values()].reduce((sum, { checksums }) => sum + countRows(checksums), 0);
  const totals = new Map<string, Total>();
  for (const table of source.tables) {
    const progress = started.get(table.name) ?? null;
    const done = await copyTable(source, target, table, progress, sourceId, (rows) => {
      copied += rows;
      rowsDone += rows;
      onProgress({ doing: "copying", table: table.name, rows: rowsDone, rowsTotal });
    });
    for (const [part, total] of Object.entries(done.checksums)) totals.set(part, total);
  }
  let rowsCompared = 0;
  const parts = await compareStores(source, target, (table, rows) => {
    rowsCompared += rows;
    onProgress({ doing: "checking", table, rows: rowsCompared, rowsTotal: rowsTotal * 2 });
  });
  const same = parts.every((part) => part.same);
  if (same) await target.finish();
  const changed = parts.filter(({ part, source: total }) => !isSameTotal(total, totals.get(part) ?? EMPTY_TOTAL));
  return { copied, parts, changedMeanwhile: changed.map(({ part }) => part), same };
}

/** The progress of an earlier run of the same copy. Throws unless the target is empty or has one. */
async function getStartedTables(target: TableCopy, sourceId: string): Promise<Map<string, CopyProgress>> {
  if ((await target.storeId()) === sourceId) throw new CopyRefused("--from and --to are the same store");
  const started = await target.progress();
  if (started.some(({ source }) => source !== sourceId)) {
    throw new CopyRefused(
      "the target is an incomplete copy of another store; choose an empty data directory or database for --to",
    );
  }
  if (started.length === 0) await assertEmpty(target);
  return new Map(started.map((progress) => [progress.table, progress]));
}

async function assertEmpty(target: TableCopy): Promise<void> {
  for (const { name } of target.tables) {
    const { rows } = await target.read(name, "key", null, 1);
    if (rows.length > 0) {
      throw new CopyRefused(
        `the target is not empty (it has ${name.replace("_", " ")}); choose an empty data directory or database for --to`,
      );
    }
  }
}

async function copyTable(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  started: CopyProgress | null,
  sourceId: string,
  onBatch: (rows: number) => void,
): Promise<CopyProgress> {
  if (started?.done === true) return started;
  const checksums = new Map(
    Object.entries(started?.checksums ?? {}).map(([part, total]) => [part, Checksum.from(total)]),
  );
  let before = started;
  let next = source.read(table.name, "insertion", started?.pageToken ?? null, table.batchSize);
  for (;;) {
    const { rows, nextPageToken } = await next;
    if (nextPageToken !== null) next = readAhead(source, table, nextPageToken);
    addRows(checksums, table, rows);
    const after: CopyProgress = {
      table: table.name,
      source: sourceId,
      pageToken: nextPageToken,
      done: nextPageToken === null,
      checksums: Object.fromEntries([...checksums].map(([part, checksum]) => [part, checksum.total])),
    };
    await target.write(rows, after, before);
    onBatch(rows.length);
    if (nextPageToken === null) return after;
    before = after;
  }
}

/** Reads the next page while the target writes. */
function readAhead(source: TableCopy, table: CopyTable, pageToken: string): ReturnType<TableCopy["read"]> {
  const page = source.read(table.name, "insertion", pageToken, table.batchSize);
  // If the write fails, nobody awaits this page: its rejection must not count as unhandled.
  page.catch(() => undefined);
  return page;
}

function addRows(checksums: Map<string, Checksum>, table: CopyTable, rows: readonly CopyRow[]): void {
  for (const row of rows) {
    const part = groupOf(table, row);
    let checksum = checksums.get(part);
    if (checksum === undefined) checksums.set(part, (checksum = new Checksum()));
    checksum.add(digestOf(row));
  }
}

function countRows(checksums: CopyProgress["checksums"]): number {
  return Object.values(checksums).reduce((sum, { rows }) => sum + rows, 0);
}
