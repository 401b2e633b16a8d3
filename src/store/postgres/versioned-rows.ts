/**
 * The rows of one table that a batch merges captures into. They are read without a lock, merged in memory, and written on
 * condition that each still has the version that was read. A row that another writer changed or inserted meanwhile is
 * locked by that statement, read again and merged again, so no change is lost and nothing else of the batch is repeated.
 */
import type { ReportKind } from "#domain/job.ts";
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import { countResult, type WriteResult } from "#store/write/batch-changes.ts";
import { type Image, type JobTouches, UNCHANGED } from "#store/undo/port.ts";
import { columnNames, type Scalar, type Table } from "../sql/table.ts";
import type { DocumentIndex, NewDocument, RowDocument } from "#store/search/port.ts";
import type { WriteCounts } from "#store/write/port.ts";
import { RowMap } from "./row-map.ts";
import type { Sql } from "./sql.ts";
import { insert, sortByKey, upsertVersions, type VersionedRow } from "./upsert.ts";

export interface PlatformRow extends VersionedRow {
  platform: PlatformName;
}

/** A row with what its merge produced beside it. */
interface Merged<Row> {
  row: Row;
}

export interface VersionedTable<
  Capture,
  Key,
  Row extends Key & PlatformRow & Record<keyof Row, Scalar>,
  Value,
  Incoming extends Key,
> {
  table: Table<Row>;
  kindOf: (key: Key) => ReportKind;
  /** A capture with the key of its row. */
  incomingOf: (platform: PlatformName, capture: Capture) => Incoming;
  keyOf: (key: Key) => readonly string[];
  /** The value of a row as it is stored. */
  fromRow: (row: Row) => Value;
  /** Null if the capture changes nothing. The version of the row is set when it is written. */
  merge: (current: Value | undefined, incoming: Incoming) => Value | null;
  /** Reads the stored rows with these keys. */
  read: (sql: Sql, keys: readonly Key[]) => Promise<Row[]>;
  /** The key of its touches. */
  touchKeyOf: (row: Row) => string;
  /** What an undone import restores. */
  imageOf: (row: Row) => string;
  mergeImage: (image: Image, incoming: Incoming) => Image;
  /** New rows of it, most of an import and seldom in two concurrent ones, are inserted by COPY. */
  isCopied?: (key: Key) => boolean;
  document?: RowDocument<Row, Value>;
  /** Writes what else is derived from rows, once they are written. */
  derive?: (sql: Sql, entries: readonly ChangedEntry<Value, Incoming>[]) => Promise<void>;
}

/** Numbers the rows of a batch in the order in which it first names them, whichever their table. */
export class BatchOrder {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}

export interface MergedEntry<Value, Incoming = unknown> {
  kind: ReportKind;
  order: number;
  /** Undefined if the row is not in the store. */
  stored: Value | undefined;
  value: Value | undefined;
  /** In the order they came, to be merged again if another writer was faster. */
  incoming: Incoming[];
  results: WriteResult[];
  /** Something that belongs to the row changes, so its version must, even if the row itself does not. */
  isTouched: boolean;
  isInserted: boolean;
  isWritten: boolean;
}

/** A batch removes no row. */
export type ChangedEntry<Value, Incoming = unknown> = MergedEntry<Value, Incoming> & { value: Value };

export class VersionedRows<
  Capture,
  Key,
  Row extends Key & PlatformRow & Record<keyof Row, Scalar>,
  Value extends Merged<Row>,
  Incoming extends Key,
> {
  readonly #spec: VersionedTable<Capture, Key, Row, Value, Incoming>;
  readonly #expected: Key[] = [];
  readonly #rows = new RowMap<MergedEntry<Value, Incoming>>();
  readonly #entries: MergedEntry<Value, Incoming>[] = [];
  readonly #remerged: MergedEntry<Value, Incoming>[] = [];
  readonly #order: BatchOrder;

  constructor(spec: VersionedTable<Capture, Key, Row, Value, Incoming>, order: BatchOrder) {
    this.#spec = spec;
    this.#order = order;
  }

  expect(platform: PlatformName, capture: Capture): void {
    this.#expected.push(this.#spec.incomingOf(platform, capture));
  }

  expectKey(key: Key): void {
    this.#expected.push(key);
  }

  /** Reads what is stored under the keys that are expected. */
  async load(sql: Sql): Promise<void> {
    const { read, kindOf, keyOf, fromRow } = this.#spec;
    for (const row of await read(sql, this.#expected.splice(0))) {
      this.#rows.set(keyOf(row), createEntry<Value, Incoming>(kindOf(row), fromRow(row)));
    }
  }

  /** The row as it is in the store, if it is. */
  getStored(key: Key): Value | undefined {
    return this.#rows.get(this.#spec.keyOf(key))?.stored;
  }

  /** Merges a capture into its row. */
  put(platform: PlatformName, capture: Capture): void {
    const incoming = this.#spec.incomingOf(platform, capture);
    const path = this.#spec.keyOf(incoming);
    let entry = this.#rows.get(path);
    if (entry === undefined) {
      this.#rows.set(path, (entry = createEntry<Value, Incoming>(this.#spec.kindOf(incoming), undefined)));
    }
    if (entry.incoming.length === 0 && !entry.isTouched) this.#add(entry);
    entry.incoming.push(incoming);
    this.#merge(entry, incoming);
  }

  /** Writes the row with a new version, if it is stored. */
  touch(key: Key): void {
    const entry = this.#rows.get(this.#spec.keyOf(key));
    if (entry === undefined || entry.isTouched) return;
    entry.isTouched = true;
    if (entry.incoming.length === 0) this.#add(entry);
  }

  #add(entry: MergedEntry<Value, Incoming>): void {
    entry.order = this.#order.next();
    this.#entries.push(entry);
  }

  /** Whether `insertCopied` has inserted it. */
  isInserted(key: Key): boolean {
    return this.#rows.get(this.#spec.keyOf(key))?.isInserted === true;
  }

  #merge(entry: MergedEntry<Value, Incoming>, incoming: Incoming): void {
    const merged = this.#spec.merge(entry.value, incoming);
    if (merged === null) entry.results.push("unchanged");
    else {
      entry.results.push(entry.value === undefined ? "new" : "updated");
      entry.value = merged;
    }
  }

  /** The rows that the batch changed, in the order in which it first named them. */
  changed(): ChangedEntry<Value, Incoming>[] {
    return this.#entries.filter((entry): entry is ChangedEntry<Value, Incoming> => entry.value !== entry.stored);
  }

  /** Of those, the ones that are not in the store. */
  #added(): ChangedEntry<Value, Incoming>[] {
    return this.changed().filter(({ stored }) => stored === undefined);
  }

  #copied(): ChangedEntry<Value, Incoming>[] {
    const { isCopied } = this.#spec;
    return isCopied === undefined ? [] : this.#added().filter(({ value }) => isCopied(value.row));
  }

  #others(): ChangedEntry<Value, Incoming>[] {
    return this.changed().filter(({ isInserted }) => !isInserted);
  }

  /** The documents that are not in the index yet. */
  newDocuments(): NewDocument[] {
    const { document } = this.#spec;
    if (document === undefined) return [];
    return this.#added().map(({ order, value: { row } }) => {
      return { order, platform: row.platform, kind: document.kindOf(row), id: document.idOf(row) };
    });
  }

  indexCopied(index: DocumentIndex): void {
    this.#index(index, this.#copied());
  }

  /** After `write`. */
  indexOthers(index: DocumentIndex): void {
    this.#index(index, this.#others());
  }

  #index(index: DocumentIndex, entries: readonly ChangedEntry<Value, Incoming>[]): void {
    const { document } = this.#spec;
    if (document === undefined) return;
    for (const { stored, value } of entries) {
      const { row } = value;
      if (stored !== undefined && document.sourceOf(stored.row) === document.sourceOf(row)) continue;
      const state = stored === undefined ? "new" : "stored";
      index.put(row.platform, document.kindOf(row), document.idOf(row), document.of(value), state);
    }
  }

  /**
   * Inserts new rows by COPY, with what is derived from them. If another writer inserted one of them meanwhile, it fails
   * with a unique violation. Call `indexCopied` before.
   */
  async insertCopied(sql: Sql): Promise<void> {
    const { table, derive } = this.#spec;
    const copied = this.#copied();
    for (const entry of copied) entry.isInserted = entry.isWritten = true;
    await Promise.all([insert(sql, table, sortByKey(table, copied.map(toRow<Row>))), derive?.(sql, copied)]);
  }

  /** After `write`: what is derived from the rows that it wrote. */
  async deriveOthers(sql: Sql): Promise<void> {
    await this.#spec.derive?.(sql, this.#others());
  }

  /** The rows that were merged again because another writer was faster. */
  changedByOthers(): Row[] {
    return this.#remerged.map(({ value }) => present(value).row);
  }

  /** Writes all other changes. */
  async write(sql: Sql): Promise<void> {
    const { table, keyOf } = this.#spec;
    for (let pending = this.#unwritten(this.#entries); pending.length > 0;) {
      const written = await upsertVersions(sql, table, pending.map(toRow<Row>));
      for (const row of written) {
        const entry = this.#rows.get(keyOf(row));
        if (entry !== undefined) entry.isWritten = true;
      }
      const lost = pending.filter(({ isWritten }) => !isWritten);
      if (lost.length > 0) await this.#mergeAgain(sql, lost);
      for (const entry of lost) this.#remerged.push(entry);
      pending = this.#unwritten(lost);
    }
  }

  #unwritten(entries: readonly MergedEntry<Value, Incoming>[]): MergedEntry<Value, Incoming>[] {
    return entries.filter(({ stored, value, isTouched, isWritten }) => !isWritten && (isTouched || value !== stored));
  }

  async #mergeAgain(sql: Sql, lost: readonly MergedEntry<Value, Incoming>[]): Promise<void> {
    const { read, keyOf, fromRow } = this.#spec;
    const rows = await read(
      sql,
      lost.map((entry) => present(entry.value).row),
    );
    const current = new RowMap<Value>();
    for (const row of rows) current.set(keyOf(row), fromRow(row));
    for (const entry of lost) {
      entry.value = entry.stored = current.get(keyOf(present(entry.value).row));
      entry.results = [];
      for (const incoming of entry.incoming) this.#merge(entry, incoming);
    }
  }

  /** Once the batch is written: what it did to each row. */
  touchInto(touches: JobTouches): void {
    const { touchKeyOf, imageOf, mergeImage } = this.#spec;
    for (const { kind, stored, value, incoming } of this.#entries) {
      if (value === undefined || incoming.length === 0) continue;
      const image = stored === undefined ? null : () => imageOf(stored.row);
      touches.add(value.row.platform, kind, touchKeyOf(value.row), value === stored ? UNCHANGED : image, (other) =>
        incoming.reduce(mergeImage, other),
      );
    }
  }

  countInto(counts: WriteCounts): void {
    for (const { kind, results } of this.#entries) for (const result of results) countResult(counts, kind, result);
  }
}

function createEntry<Value, Incoming>(kind: ReportKind, stored: Value | undefined): MergedEntry<Value, Incoming> {
  return {
    kind,
    order: 0,
    stored,
    value: stored,
    incoming: [],
    results: [],
    isTouched: false,
    isInserted: false,
    isWritten: false,
  };
}

function toRow<Row extends VersionedRow>({ stored, value }: MergedEntry<Merged<Row>>): Row {
  return { ...present(value).row, version: (stored?.row.version ?? 0) + 1 };
}

/** Each column of the key is looked up by itself, which may read a few rows too many. */
export async function readByKey<Row extends Record<keyof Row, Scalar>>(
  sql: Sql,
  table: Table<Row>,
  keys: readonly Partial<Row>[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const conditions = table.key.map((column, index) => `${column} = ANY($${index + 1})`);
  return sql.all<Row>(
    `SELECT ${columnNames(table).join(", ")} FROM ${table.name} WHERE ${conditions.join(" AND ")}`,
    ...table.key.map((column) => [...new Set(keys.map((key) => key[column] as Scalar))]),
  );
}
