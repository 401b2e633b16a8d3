/** Compares two stores table by table, and names rows that differ. */
import type { CopyRow, CopyTable, TableCopy } from "../table-copy.ts";
import {
  digestOf,
  EMPTY_TOTAL,
  groupOf,
  isSameTotal,
  keyOf,
  partitionOf,
  Partitions,
  type Total,
} from "./checksums.ts";

export interface PartReport {
  /** Such as `posts`. */
  part: string;
  source: Total;
  target: Total;
  same: boolean;
  /** A few of the rows that differ, and how. */
  differences: string[];
}

const MAX_DIFFERENCES = 5;
/** Of a part that differs in many partitions, a few are enough. */
const MAX_PARTITIONS = 4;

type OnRows = (table: string, rows: number) => void;

export async function compareStores(source: TableCopy, target: TableCopy, onRows: OnRows): Promise<PartReport[]> {
  const reports: PartReport[] = [];
  for (const table of source.tables) {
    const [inSource, inTarget] = await Promise.all([
      partitionTable(source, table, onRows),
      partitionTable(target, table, onRows),
    ]);
    reports.push(...(await compareParts(source, target, table, inSource, inTarget)));
  }
  return reports;
}

type PartitionsByPart = Map<string, Partitions>;

async function partitionTable(store: TableCopy, table: CopyTable, onRows: OnRows): Promise<PartitionsByPart> {
  const parts: PartitionsByPart = new Map();
  await eachRow(store, table, onRows, (row, key) => {
    const part = groupOf(table, row);
    let partitions = parts.get(part);
    if (partitions === undefined) parts.set(part, (partitions = new Partitions()));
    partitions.add(partitionOf(key), digestOf(row));
  });
  return parts;
}

async function eachRow(
  store: TableCopy,
  table: CopyTable,
  onRows: OnRows,
  visit: (row: CopyRow, key: string) => void,
): Promise<void> {
  let pageToken: string | null = null;
  do {
    const page = await store.read(table.name, "key", pageToken, table.batchSize);
    for (const row of page.rows) visit(row, keyOf(table, row));
    onRows(table.name, page.rows.length);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
}

async function compareParts(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  inSource: PartitionsByPart,
  inTarget: PartitionsByPart,
): Promise<PartReport[]> {
  const reports: PartReport[] = [];
  for (const part of [...new Set([...inSource.keys(), ...inTarget.keys()])].toSorted()) {
    const ours = inSource.get(part) ?? new Partitions();
    const theirs = inTarget.get(part) ?? new Partitions();
    const same = isSameTotal(ours.total, theirs.total);
    const partitions = new Set(same ? [] : ours.differing(theirs).slice(0, MAX_PARTITIONS));
    const differences = same ? [] : await listDifferences(source, target, table, part, partitions);
    reports.push({ part, source: ours.total, target: theirs.total, same, differences });
  }
  return reports.length > 0 ? reports : [emptyReport(table)];
}

function emptyReport(table: CopyTable): PartReport {
  const part = table.name === "records" ? "records" : groupOf(table, []);
  return { part, source: EMPTY_TOTAL, target: EMPTY_TOTAL, same: true, differences: [] };
}

/** Reads the table again on both sides, and compares the rows of the given partitions. */
async function listDifferences(
  source: TableCopy,
  target: TableCopy,
  table: CopyTable,
  part: string,
  partitions: ReadonlySet<number>,
): Promise<string[]> {
  const [inSource, inTarget] = await Promise.all([
    digestsByKey(source, table, part, partitions),
    digestsByKey(target, table, part, partitions),
  ]);
  const differences: string[] = [];
  for (const [key, digest] of inSource) {
    if (!inTarget.has(key)) differences.push(`${key} is missing in the target`);
    else if (inTarget.get(key) !== digest) differences.push(`${key} is not the same`);
  }
  for (const key of inTarget.keys()) if (!inSource.has(key)) differences.push(`${key} is in the target only`);
  return differences.toSorted().slice(0, MAX_DIFFERENCES);
}

async function digestsByKey(
  store: TableCopy,
  table: CopyTable,
  part: string,
  partitions: ReadonlySet<number>,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  const ignoreRows = () => undefined;
  await eachRow(store, table, ignoreRows, (row, key) => {
    if (partitions.has(partitionOf(key)) && groupOf(table, row) === part) {
      digests.set(key, digestOf(row).toString("hex"));
    }
  });
  return digests;
}
