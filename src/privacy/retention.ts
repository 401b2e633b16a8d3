/** Deletes what is due by the retention rules, and leaves it out of exports and backups until it is deleted. */
import {
  type Expiry,
  isExpired,
  isForSource,
  listExpiries,
  type RetentionDuty,
  type RetentionKind,
} from "#domain/retention.ts";
import type { PlatformName } from "#domain/record.ts";
import { compositeKey, type Image, isUnchanged } from "#store/undo/port.ts";
import type { RetentionTable } from "#store/retention/port.ts";
import type { Store } from "#store/store.ts";
import type { UndoPage, UndoPosition, Writer } from "#store/write/port.ts";
import { type TableName, type TableReader, type TableRow, TABLES } from "#store/copy/port.ts";

/** Small, so that imports and requests never wait long for a batch. */
const BATCH_SIZE = 500;

export interface RetentionSettings {
  /** For what no rule covers; null keeps it. */
  defaultDays: number | null;
  /** What the terms of live sources demand. */
  duties: readonly RetentionDuty[];
}

export type SweepCounts = Partial<Record<RetentionKind, number>>;

/** Of sources that nothing is stored of, nothing can be due. Those that a rule names are not looked up: see `hasSource`. */
export async function readExpiries(
  table: Pick<RetentionTable, "list" | "hasSource">,
  { defaultDays, duties }: RetentionSettings,
  now: number,
): Promise<Expiry[]> {
  const rules = await table.list();
  // The first that covers a record counts: a rule for everything comes before the default.
  const all = defaultDays === null ? rules : [...rules, { source: "", kind: "" as const, days: defaultDays }];
  const expiries = listExpiries(all, duties, now);
  const stored = new Set(rules.map(({ source }) => source));
  for (const { source } of duties) {
    if (!stored.has(source) && (await table.hasSource(source))) stored.add(source);
  }
  return expiries.filter(({ source }) => source === null || stored.has(source));
}

/** Deletes everything that is due, a small batch at a time. */
export async function sweep(
  store: Pick<Store, "writer" | "retention">,
  settings: RetentionSettings,
  { now = Date.now() }: { now?: number } = {},
): Promise<SweepCounts> {
  const counts: SweepCounts = {};
  const expiries = await readExpiries(store.retention, settings, now);
  await restoreImported(store.writer, expiries, false);
  for (const expiry of expiries) {
    let deleted: number;
    do {
      deleted = await store.writer.deleteExpired(expiry, BATCH_SIZE);
      if (deleted > 0) counts[expiry.kind] = (counts[expiry.kind] ?? 0) + deleted;
    } while (deleted === BATCH_SIZE);
  }
  return counts;
}

/** What a sweep would delete now. */
export async function previewSweep(
  store: Pick<Store, "writer"> & { retention: Pick<RetentionTable, "list" | "hasSource"> },
  settings: RetentionSettings,
  now = Date.now(),
): Promise<SweepCounts> {
  const counts: SweepCounts = {};
  const expiries = await readExpiries(store.retention, settings, now);
  const restored = await restoreImported(store.writer, expiries, true);
  for (const expiry of expiries) {
    const due = await store.writer.countExpired(expiry);
    if (due > 0) counts[expiry.kind] = (counts[expiry.kind] ?? 0) + due;
  }
  for (const kind of Object.keys(restored) as RetentionKind[]) {
    const deleted = (counts[kind] ?? 0) - (restored[kind] as number);
    if (deleted > 0) counts[kind] = deleted;
    else delete counts[kind];
  }
  return counts;
}

/** Puts records that a live source fetched back to their imported state: only its own answer is due. Returns their number. */
export async function restoreImported(
  writer: Pick<Writer, "listLiveSources" | "restoreImported" | "countExpired">,
  expiries: readonly Expiry[],
  dryRun: boolean,
): Promise<SweepCounts> {
  const restored: SweepCounts = {};
  const sources = await writer.listLiveSources();
  const ofThem = expiries.filter((expiry) => sources.some((source) => isForSource(expiry, source)));
  const due = await listDueExpiries(writer, ofThem);
  for (const source of sources) {
    if (!due.some((expiry) => isForSource(expiry, source))) continue;
    let after: UndoPosition | null = null;
    do {
      // Looked for without a lock: of most pages nothing is due.
      const { counts, next }: UndoPage = await writer.restoreImported(source, expiries, after, true);
      const found = Object.entries(counts.restored) as [RetentionKind, number][];
      if (found.length > 0 && !dryRun) await writer.restoreImported(source, expiries, after, false);
      for (const [kind, count] of found) restored[kind] = (restored[kind] ?? 0) + count;
      after = next;
    } while (after !== null);
  }
  return restored;
}

/** Those by which something is due but counters, which have no source. */
async function listDueExpiries(writer: Pick<Writer, "countExpired">, expiries: readonly Expiry[]): Promise<Expiry[]> {
  const due: Expiry[] = [];
  for (const expiry of expiries) {
    if (expiry.kind !== "history" && (await writer.countExpired(expiry)) > 0) due.push(expiry);
  }
  return due;
}

const KINDS: Partial<Record<TableName, RetentionKind>> = {
  comments: "comment",
  subtitles: "subtitles",
  follows: "follow",
  chart_entries: "chart",
};

/** The same rows and names without those that are due. */
export async function withoutExpired(reader: TableReader, expiries: readonly Expiry[]): Promise<TableReader> {
  if (expiries.length === 0) return reader;
  const expired = await listExpiredRecords(reader, expiries);
  const isKept = (platform: PlatformName, id: string) => !expired.has(keyOf(platform, "account", id));
  return {
    async *read(table, filter) {
      const isDue =
        table === "job_records" ? await dueTouches(reader, expiries, expired) : dueRows(table, expiries, expired);
      for await (const rows of reader.read(table, filter)) {
        const left = rows.filter((row) => !isDue(row));
        yield table === "job_records" ? left.map((row) => withoutDueImage(expiries, row)) : left;
      }
    },
    async getAccountRows(platform, ids, filter) {
      return reader.getAccountRows(
        platform,
        ids.filter((id) => isKept(platform, id)),
        filter,
      );
    },
    async getAccountIds(platform, names) {
      const ids = await reader.getAccountIds(platform, names);
      return new Map([...ids].filter(([, id]) => isKept(platform, id)));
    },
    resolveQuery: (platform, text) => reader.resolveQuery(platform, text),
  };
}

/** By platform, kind and id: their names and counters go with them. */
async function listExpiredRecords(reader: TableReader, expiries: readonly Expiry[]): Promise<Set<string>> {
  const expired = new Set<string>();
  for await (const rows of reader.read("records", { withoutNative: true })) {
    for (const row of rows) if (isRecordExpired(expiries, row)) expired.add(keyOf(row[0], row[1], row[2]));
  }
  return expired;
}

function keyOf(...parts: readonly (TableRow[number] | undefined)[]): string {
  return parts.join("/");
}

function isRecordExpired(expiries: readonly Expiry[], row: TableRow): boolean {
  const [, kind, , , , capturedAt, source] = row;
  return isExpired(expiries, kind as RetentionKind, source as string, capturedAt as number);
}

function dueRows(
  table: TableName,
  expiries: readonly Expiry[],
  expired: ReadonlySet<string>,
): (row: TableRow) => boolean {
  const columns: readonly string[] = TABLES[table];
  const at = columns.indexOf("captured_at");
  const source = columns.indexOf("source");
  const kind = KINDS[table];
  if (table === "records") return (row) => isRecordExpired(expiries, row);
  if (table === "account_names") return (row) => expired.has(keyOf(row[0], "account", row[2]));
  if (table === "counter_points") {
    return (row) =>
      expired.has(keyOf(row[0], row[1], row[2])) || isExpired(expiries, "history", null, row[at] as number);
  }
  if (kind === undefined) return () => false;
  return (row) => isExpired(expiries, kind, row[source] as string, row[at] as number);
}

/** What undoing would need of what is due. */
async function dueTouches(
  reader: TableReader,
  expiries: readonly Expiry[],
  expired: ReadonlySet<string>,
): Promise<(row: TableRow) => boolean> {
  const due = new Set(expired);
  for (const [table, toKey] of Object.entries(TOUCH_KEYS) as [keyof typeof TOUCH_KEYS, (row: TableRow) => string][]) {
    const isDue = dueRows(table, expiries, expired);
    for await (const rows of reader.read(table, { withoutNative: true })) {
      for (const row of rows) if (isDue(row)) due.add(keyOf(row[0], KINDS[table], toKey(row)));
    }
  }
  return ([platform, kind, key]) => due.has(keyOf(platform, kind, key));
}

/**
 * What was stored before may be due although the record has been captured since: nothing would be left of it. Its points, which
 * stay with the record, do not become those of the touch.
 */
function withoutDueImage(expiries: readonly Expiry[], row: TableRow): TableRow {
  const [, kind, , , , image, points] = row as [string, RetentionKind, string, number, string, Image, Image];
  if (image === null || isUnchanged(image)) return row;
  const { source, captured_at } = JSON.parse(image) as { source: string; captured_at: number };
  return isExpired(expiries, kind, source, captured_at) ? [...row.slice(0, 5), null, points ?? "{}"] : row;
}

type Key = (string | number)[];

const TOUCH_KEYS = {
  comments: (row: TableRow) => compositeKey(...(row.slice(1, 3) as Key)),
  subtitles: ([, postId, language, automatic]: TableRow) =>
    compositeKey(postId as string, language as string, automatic === 1),
  follows: (row: TableRow) => compositeKey(...(row.slice(1, 3) as Key)),
  chart_entries: (row: TableRow) => compositeKey(...(row.slice(1, 5) as Key)),
};
