/** Holds two stores against each other, table by table, and names what differs. */
import type { CopyTable, TableCopy } from "../table-copy.ts";
import { digestOf, partitionOf, Partitions, isSameTotal, keyOf, groupOf, type Total } from "./checksums.ts";

export interface PartReport {
  /** Such as `posts`. */
  part: string;
  source: Total;
  target: Total;
  same: boolean;
  /** Some of the rows that differ, each with how. */
  differences: string[];
}

const NONE: Total = { rows: 0, sum: "0".repeat(64) };
const NAMED_DIFFERENCES = 5;
/** Of a table that differs in many places, a few are enough. */
const LOOKED_AT = 4;

export async function compareStores(
  source: TableCopy,
  target: TableCopy,
  seen: (table: string, rows: number) => void,
): Promise<PartReport[]> {
  const reports: PartReport[] = [];
  for (const table of source.tables) {
    const [ours, theirs] = await Promise.all([source, target].map((store) => heapsOf(store, table, seen)));
    reports.push(...(await partReports(source, target, table, ours as ByPart, theirs as ByPart)));
  }
  return reports;
}

type ByPart = Map<string, Partitions>;

async function heapsOf(
  store: TableCopy,
  table: CopyTable,
  seen: (table: string, rows: number) => void,
): Promise<ByPart> {
  const parts: ByPart = new Map();
  await eachRow(store, table, seen, (row, key) => {
    const part = groupOf(table, row);
    let heaps = parts.get(part);
    if (heaps === undefined) parts.set(part, (heaps = new Partitions()));
    heaps.add(partitionOf(key), digestOf(row));
  });
  return parts;
}

async function eachRow(
  store: TableCopy,
  table: CopyTable,
  seen: (table: string, rows: number) => void,
  take: (row: (string | number | null)[], key: string) => void,
): Promise<void> {
  let mark: string | null = null;
  do {
    const page = await store.read(table.name, "key", mark, table.batchSize);
    for (const row of page.rows) take(row, keyOf(table, row));
    seen(table.name, page.rows.length);
    ({ nextPageToken: mark } = page);
  } while (mark !== null);
}

async function partReports(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  ours: ByPart,
  theirs: ByPart,
): Promise<PartReport[]> {
  const reports: PartReport[] = [];
  for (const part of [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()) {
    const [here, there] = [ours.get(part) ?? new Partitions(), theirs.get(part) ?? new Partitions()];
    const same = isSameTotal(here.total, there.total);
    const heaps = same ? [] : here.differing(there).slice(0, LOOKED_AT);
    const differences = same ? [] : await differencesIn(source, target, table, part, new Set(heaps));
    reports.push({ part, source: here.total, target: there.total, same, differences });
  }
  return reports.length > 0 ? reports : [emptyReport(table)];
}

function emptyReport(table: CopyTable): PartReport {
  const part = table.name === "records" ? "records" : groupOf(table, []);
  return { part, source: NONE, target: NONE, same: true, differences: [] };
}

/** Reads the table again on both sides and keeps only what lies in the heaps given. */
async function differencesIn(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  part: string,
  heaps: ReadonlySet<number>,
): Promise<string[]> {
  const [ours, theirs] = await Promise.all([source, target].map((store) => rowsIn(store, table, part, heaps)));
  const here = ours as Map<string, string>;
  const there = theirs as Map<string, string>;
  const differences: string[] = [];
  for (const [key, digest] of here) {
    if (!there.has(key)) differences.push(`${key} is missing in the target`);
    else if (there.get(key) !== digest) differences.push(`${key} is not the same`);
  }
  for (const key of there.keys()) if (!here.has(key)) differences.push(`${key} is in the target only`);
  return differences.toSorted().slice(0, NAMED_DIFFERENCES);
}

async function rowsIn(
  store: TableCopy,
  table: CopyTable,
  part: string,
  heaps: ReadonlySet<number>,
): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  const unseen = () => undefined;
  await eachRow(store, table, unseen, (row, key) => {
    if (heaps.has(partitionOf(key)) && groupOf(table, row) === part) rows.set(key, digestOf(row).toString("hex"));
  });
  return rows;
}
