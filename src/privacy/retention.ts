/** Deletes what is due by the retention rules, and leaves it out of exports and backups until it is deleted. */
import {
  RETENTION_KINDS,
  type Expiry,
  isExpired,
  isForSource,
  listExpiries,
  type RetentionDuty,
  type RetentionKind,
} from "#domain/retention.ts";
import type { PlatformName } from "#domain/record.ts";
import { compositeKey, isUnchanged } from "#store/undo/port.ts";
import type { RetentionTable } from "#store/retention/port.ts";
import type { Store } from "#store/store.ts";
import type { UndoPage, UndoPosition, Writer } from "#store/write/port.ts";
import type { Rows, TableName, TableReader } from "#store/copy/port.ts";

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
  for (const kind of RETENTION_KINDS) {
    const deleted = (counts[kind] ?? 0) - (restored[kind] ?? 0);
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
      const found: SweepCounts = counts.restored;
      if (Object.keys(found).length > 0 && !dryRun) await writer.restoreImported(source, expiries, after, false);
      for (const kind of RETENTION_KINDS)
        if (found[kind] !== undefined) restored[kind] = (restored[kind] ?? 0) + found[kind];
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

/** The same rows and names without those that are due. */
export async function withoutExpired(reader: TableReader, expiries: readonly Expiry[]): Promise<TableReader> {
  if (expiries.length === 0) return reader;
  const expired = await listExpiredRecords(reader, expiries);
  const isKept = (platform: PlatformName, id: string) => !expired.has(keyOf(platform, "account", id));
  return {
    async *read(table, filter) {
      const touches = table === "job_records" ? await listDueTouches(reader, expiries) : new Set<string>();
      const leave = leftRows(expiries, expired, touches)[table];
      for await (const rows of reader.read(table, filter)) {
        yield rows.map((row) => leave(row)).filter((row) => row !== null);
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

function keyOf(...parts: readonly string[]): string {
  return parts.join("/");
}

function isRecordExpired(expiries: readonly Expiry[], row: Rows["records"]): boolean {
  const [, kind, , , , capturedAt, source] = row;
  return isExpired(expiries, kind, source, capturedAt);
}

type TouchedTable = "comments" | "subtitles" | "follows" | "chart_entries";
type DueRows = { readonly [Name in TouchedTable]: (row: Rows[Name]) => boolean };
type TouchKeys = { readonly [Name in TouchedTable]: (row: Rows[Name]) => string };
/** The rest of a row; null if it is due. */
type LeftRows = { readonly [Name in TableName]: (row: Rows[Name]) => Rows[Name] | null };

function dueRows(expiries: readonly Expiry[]): DueRows {
  return {
    comments: ([, , , , , at, source]) => isExpired(expiries, "comment", source, at),
    subtitles: ([, , , , , at, source]) => isExpired(expiries, "subtitles", source, at),
    follows: ([, , , , , at, source]) => isExpired(expiries, "follow", source, at),
    chart_entries: ([, , , , , , at, source]) => isExpired(expiries, "chart", source, at),
  };
}

const TOUCH_KEYS: TouchKeys = {
  comments: ([platform, postId, id]) => keyOf(platform, "comment", compositeKey(postId, id)),
  subtitles: ([platform, postId, language, automatic]) =>
    keyOf(platform, "subtitles", compositeKey(postId, language, automatic === 1)),
  follows: ([platform, accountId, followerId]) => keyOf(platform, "follow", compositeKey(accountId, followerId)),
  chart_entries: ([platform, country, section, day, rank]) =>
    keyOf(platform, "chart", compositeKey(country, section, day, rank)),
};

function leftRows(expiries: readonly Expiry[], expired: ReadonlySet<string>, touches: ReadonlySet<string>): LeftRows {
  const unless =
    <Row>(isDue: (row: Row) => boolean) =>
    (row: Row) =>
      isDue(row) ? null : row;
  const all = <Row>(row: Row) => row;
  const due = dueRows(expiries);
  return {
    erased: all,
    tokens: all,
    jobs: all,
    job_files: all,
    job_rejects: all,
    retention: all,
    watches: all,
    records: unless((row) => isRecordExpired(expiries, row)),
    account_names: unless(([platform, , id]) => expired.has(keyOf(platform, "account", id))),
    counter_points: unless(
      ([platform, kind, id, at]) => expired.has(keyOf(platform, kind, id)) || isExpired(expiries, "history", null, at),
    ),
    comments: unless(due.comments),
    subtitles: unless(due.subtitles),
    follows: unless(due.follows),
    chart_entries: unless(due.chart_entries),
    job_records(row) {
      const key = keyOf(row[0], row[1], row[2]);
      return expired.has(key) || touches.has(key) ? null : withoutDueImage(expiries, row);
    },
  };
}

/** Rows that an undo would need of records that are due. */
async function listDueTouches(reader: TableReader, expiries: readonly Expiry[]): Promise<Set<string>> {
  const touches = new Set<string>();
  const due = dueRows(expiries);
  const add = async <Name extends TouchedTable>(table: Name, isDue: DueRows[Name]) => {
    const touchKey = TOUCH_KEYS[table];
    for await (const rows of reader.read(table, { withoutNative: true })) {
      for (const row of rows) if (isDue(row)) touches.add(touchKey(row));
    }
  };
  await add("comments", due.comments);
  await add("subtitles", due.subtitles);
  await add("follows", due.follows);
  await add("chart_entries", due.chart_entries);
  return touches;
}

/**
 * What was stored before may be due although the record has been captured since: nothing would be left of it. Its points, which
 * stay with the record, do not become those of the touch.
 */
function withoutDueImage(expiries: readonly Expiry[], row: Rows["job_records"]): Rows["job_records"] {
  const [, kind, , , , image, points] = row;
  if (image === null || isUnchanged(image)) return row;
  const { source, captured_at } = JSON.parse(image) as { source: string; captured_at: number };
  if (!isExpired(expiries, kind, source, captured_at)) return row;
  const left: Rows["job_records"] = [...row];
  left[5] = null;
  left[6] = points ?? "{}";
  return left;
}
