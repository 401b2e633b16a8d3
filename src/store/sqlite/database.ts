/** A connection to the store's file: pragmas, migrations, prepared statements, and clear errors when it cannot be opened. */
import type { Query } from "#store/sql/select.ts";
import { accessSync, closeSync, constants, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { errorCode } from "#domain/error-code.ts";
import { present } from "#domain/present.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import { storageFaultOf } from "#domain/storage-fault.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { FIRST_VERSION, MIGRATIONS } from "./migrations.ts";
import { SCHEMA } from "./schema.ts";
import { endSnapshots, TickSnapshot } from "./tick-snapshot.ts";

/** "Trip" in ASCII: marks the SQLite file as ours. */
const APPLICATION_ID = 0x54726970;

/** The version of new stores, and after the last migration. */
const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length;

export const WRITE_LOCK_TIMEOUT_MS = 10_000;

/** Size of SQLite's page cache. */
export type CacheSize = "full" | "small";

export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Statements that return tuples; a statement can only return one or the other. */
  readonly #tupleStatements = new Map<string, StatementSync>();
  /** Read-only connections only. */
  readonly #snapshot: TickSnapshot | null;

  constructor(db: DatabaseSync, snapshot: TickSnapshot | null = null) {
    this.#db = db;
    this.#snapshot = snapshot;
  }

  #prepare(sql: string): StatementSync {
    this.#beforeStatement();
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }

  #prepareTuples(sql: string): StatementSync {
    this.#beforeStatement();
    let statement = this.#tupleStatements.get(sql);
    if (statement === undefined) {
      this.#tupleStatements.set(sql, (statement = this.#db.prepare(sql)));
      statement.setReturnArrays(true);
    }
    return statement;
  }

  #beforeStatement(): void {
    perfCounters.statements++;
    this.#snapshot?.begin();
  }

  get<Row>(sql: Query<Row>, ...values: SQLInputValue[]): Row | undefined {
    const row: unknown = this.#prepare(sql).get(...values);
    return row as Row | undefined;
  }

  all<Row>(sql: Query<Row>, ...values: SQLInputValue[]): Row[] {
    const rows: unknown = this.#prepare(sql).all(...values);
    return rows as Row[];
  }

  getTuple<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const row: unknown = this.#prepareTuples(sql).get(...values);
    return row as Row | undefined;
  }

  /** Takes half the time of `all` for hundreds of rows. */
  allTuples<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    const rows: unknown = this.#prepareTuples(sql).all(...values);
    return rows as Row[];
  }

  /** Rows one at a time, of a statement of its own: others may run in between. */
  eachTuple<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    this.#beforeStatement();
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    const rows: Iterable<unknown> = statement.iterate(...values);
    return rows as Iterable<Row>;
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    const { changes, lastInsertRowid } = this.#onceWritable(() => this.#prepare(sql).run(...values));
    if (!this.#db.isTransaction) endSnapshots();
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  #begin(): void {
    this.#onceWritable(() => this.#db.exec("BEGIN IMMEDIATE"));
  }

  /** SQLite waits for the write lock by itself; for one that rewrites the file, it waits again. */
  #onceWritable<Result>(write: () => Result): Result {
    for (;;) {
      try {
        return write();
      } catch (error) {
        if (storageFaultOf(error) !== "locked" || !this.#isBeingRewritten()) throw error;
      }
    }
  }

  /** See compact.ts. The mark of a process that was killed counts for nothing once the lock is free. */
  #isBeingRewritten(): boolean {
    const table = this.get("SELECT 1 FROM sqlite_schema WHERE name = 'purge_state'");
    if (table === undefined) return false;
    return this.get("SELECT 1 FROM purge_state WHERE rewriting_until > ?", Date.now()) !== undefined;
  }

  /** Takes the write lock immediately, so that two writers wait for each other and never deadlock. */
  transaction<Result>(work: () => Result): Result {
    this.#begin();
    try {
      const result = work();
      this.#db.exec("COMMIT");
      endSnapshots();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** The same for work that waits for others. Nothing else may use this connection meanwhile. */
  async longTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#begin();
    try {
      const result = await work();
      this.#db.exec("COMMIT");
      endSnapshots();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs the work in a transaction and rolls it back. */
  dryRun<Result>(work: () => Result): Result {
    this.#begin();
    try {
      return work();
    } finally {
      this.#db.exec("ROLLBACK");
    }
  }

  /** Read-only connections only: changes when another connection has committed. */
  dataVersion(): number {
    return present(this.#snapshot).dataVersion();
  }

  close(): void {
    this.#snapshot?.end();
    this.#statements.clear();
    this.#tupleStatements.clear();
    this.#db.close();
  }
}

/** Opens the only connection that writes; creates and migrates the file. */
export function openForWriting(file: string, cacheSize: CacheSize): Database {
  return withOpenErrors(file, () => {
    createIfMissing(file);
    const db = new DatabaseSync(file, { timeout: WRITE_LOCK_TIMEOUT_MS });
    try {
      assertKnownVersion(db, file);
      db.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON",
      );
      db.exec(`PRAGMA cache_size = ${cacheSize === "small" ? -32768 : -65536}`);
      const database = new Database(db);
      migrate(database, db);
      return database;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Readable by the owner only; SQLite gives its -wal and -shm files the same mode. An existing file is not touched: to close
 * it would release the locks of all connections of this process, and another process could then delete the write-ahead
 * log that they use (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
export function createIfMissing(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    // SQLite would open it for reading only, and fail at the first write.
    accessSync(file, constants.W_OK);
  }
}

export function openForReading(file: string, cacheSize: CacheSize): Database {
  return withOpenErrors(file, () => {
    const db = new DatabaseSync(file, { timeout: 5_000 });
    db.exec(
      cacheSize === "small"
        ? "PRAGMA query_only = ON; PRAGMA cache_size = -4096"
        : // The operating system caches hot pages anyway; mapped pages would count as memory of this process.
          "PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0",
    );
    return new Database(db, new TickSnapshot(db));
  });
}

/** For reads of one moment that take long; they would keep others of the same connection from seeing later writes. */
export function openForSnapshot(file: string): Database {
  return withOpenErrors(file, () => {
    const db = new DatabaseSync(file, { timeout: 5_000 });
    db.exec("PRAGMA query_only = ON; PRAGMA cache_size = -4096");
    return new Database(db);
  });
}

function getPragma(db: DatabaseSync, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get() ?? {};
  return Number(Object.values(row)[0]);
}

/** `part` is what has the version. */
export function assertNotNewer(part: string, version: number, supported: number, file: string): void {
  if (version > supported) {
    throw new StoreOpenError(
      `${file} was written by a newer Triptych (${part} version ${version}, this one supports ${supported}); upgrade Triptych or choose another DATA_DIR`,
    );
  }
}

function assertKnownVersion(db: DatabaseSync, file: string): void {
  const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (!isEmpty && getPragma(db, "application_id") !== APPLICATION_ID) {
    throw new StoreOpenError(`${file} is an SQLite file of another program; choose another DATA_DIR`);
  }
  const version = getPragma(db, "user_version");
  assertNotNewer("store", version, SCHEMA_VERSION, file);
  if (version > 0 && version < FIRST_VERSION) {
    throw new StoreOpenError(
      `${file} was written by an unreleased Triptych (store version ${version}); create a new data directory and import again`,
    );
  }
}

function migrate(database: Database, db: DatabaseSync): void {
  if (getPragma(db, "user_version") === SCHEMA_VERSION) return;
  database.transaction(() => {
    // Read again under the lock: another process may have migrated meanwhile.
    const version = getPragma(db, "user_version");
    const steps = version === 0 ? [SCHEMA] : MIGRATIONS.slice(version - FIRST_VERSION);
    for (const step of steps) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

const ACCESS_ERRORS: ReadonlySet<unknown> = new Set([
  // SQLITE_CANTOPEN, SQLITE_READONLY
  14,
  8,
  "EACCES",
  "EROFS",
  "EPERM",
  "ENOTDIR",
  "ENOENT",
  "EEXIST",
]);

/** Translates SQLite's errors to a sentence that says what happened and what to do. */
function withOpenErrors(file: string, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(describeOpenError(file, error), { cause: error });
  }
}

function describeOpenError(file: string, error: unknown): string {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string };
  const fault = storageFaultOf(error);
  if (fault === "damaged") {
    return `${file} is damaged or not a store; restore a backup, or move the file away to start empty`;
  }
  if (ACCESS_ERRORS.has(errcode === undefined ? code : errcode & 0xff)) {
    return `cannot open ${file} for writing; check that the directory exists, is yours and has room, or set DATA_DIR`;
  }
  if (fault === "locked") return `${file} is locked by another program; stop it, or choose another DATA_DIR`;
  if (fault === "full") return `cannot write ${file}: the disk is full; free some space`;
  if (fault === "io") return `cannot open ${file}: the disk reported an error; check it`;
  return `cannot open ${file}: ${message ?? String(error)}`;
}
