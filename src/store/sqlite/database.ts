/**
 * Opens the store's file: pragmas, migrations, and one clear sentence for each way it can be unfit. Statements are
 * prepared once per connection.
 */
import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { StoreOpenError } from "../store-open-error.ts";
import { perfCounters as done } from "#domain/perf-counters.ts";
import { MIGRATIONS } from "./migrations.ts";
import { endSnapshots, TickSnapshot } from "./tick-snapshot.ts";

/** "Trip" in ASCII: tells our files from other SQLite files. */
const APPLICATION_ID = 0x54726970;

/** How much of the file may be kept in memory by the connection that reads. */
export type CacheSize = "full" | "small";

export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** A statement gives either objects or lists. */
  readonly #forLists = new Map<string, StatementSync>();
  /** Of a connection that only reads. */
  readonly #turn: TickSnapshot | null;

  constructor(db: DatabaseSync, turn: TickSnapshot | null = null) {
    this.#db = db;
    this.#turn = turn;
  }

  #prepared(sql: string, into = this.#statements): StatementSync {
    done.statements++;
    this.#turn?.begin();
    let statement = into.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      into.set(sql, statement);
    }
    return statement;
  }

  #preparedForLists(sql: string): StatementSync {
    const known = this.#forLists.get(sql);
    const statement = this.#prepared(sql, this.#forLists);
    if (known === undefined) statement.setReturnArrays(true);
    return statement;
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  /** A row as a list of values. */
  list<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#preparedForLists(sql).get(...values) as unknown as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** Rows as lists of values: half the time of objects where there are hundreds. */
  lists<Row extends unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#preparedForLists(sql).all(...values) as unknown as Row[];
  }

  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    const { changes, lastInsertRowid } = this.#prepared(sql).run(...values);
    if (!this.#db.isTransaction) endSnapshots();
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** All or nothing. Takes the write lock at once, so that two writers wait for each other and never deadlock. */
  transaction<Result>(work: () => Result): Result {
    this.#db.exec("BEGIN IMMEDIATE");
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

  /** Does the work and takes it back. */
  rehearsal(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
    } finally {
      this.#db.exec("ROLLBACK");
    }
  }

  /** Of a connection that only reads: changes when anybody has written. */
  stamp(): number {
    return (this.#turn as TickSnapshot).stamp();
  }

  close(): void {
    this.#turn?.end();
    this.#statements.clear();
    this.#forLists.clear();
    this.#db.close();
  }
}

/** The one connection that writes. Creates the file and brings its tables up to date. */
export function openForWriting(file: string, memory: CacheSize): Database {
  return guarded(file, () => {
    // For its owner only; the files that SQLite puts beside it take the same mode.
    closeSync(openSync(file, "a", 0o600));
    const db = new DatabaseSync(file, { timeout: 10_000 });
    try {
      assertOurs(db, file);
      db.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON",
      );
      db.exec(`PRAGMA cache_size = ${memory === "small" ? -32768 : -65536}`);
      const database = new Database(db);
      migrate(database, db);
      return database;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** A connection that cannot write. */
export function openForReading(file: string, memory: CacheSize): Database {
  return guarded(file, () => {
    const db = new DatabaseSync(file, { timeout: 5_000 });
    db.exec(
      memory === "small"
        ? "PRAGMA query_only = ON; PRAGMA cache_size = -4096"
        : // The system keeps what is read often anyway. Mapped, the same pages would count as memory of the process.
          "PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0",
    );
    return new Database(db, new TickSnapshot(db));
  });
}

function pragma(db: DatabaseSync, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number>;
  return Number(Object.values(row)[0]);
}

function assertOurs(db: DatabaseSync, file: string): void {
  const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema").get() as { n: number };
  if (tables.n > 0 && pragma(db, "application_id") !== APPLICATION_ID) {
    throw new StoreOpenError(`${file} is an SQLite file of another program; choose another DATA_DIR`);
  }
  const version = pragma(db, "user_version");
  if (version > MIGRATIONS.length) {
    throw new StoreOpenError(
      `${file} was written by a newer Triptych (store version ${version}, this one knows ${MIGRATIONS.length}); update Triptych or choose another DATA_DIR`,
    );
  }
}

function migrate(database: Database, db: DatabaseSync): void {
  if (pragma(db, "user_version") === MIGRATIONS.length) return;
  database.transaction(() => {
    // Read again under the lock: another process may have migrated meanwhile.
    for (let version = pragma(db, "user_version"); version < MIGRATIONS.length; version++) {
      database.exec(MIGRATIONS[version] as string);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** SQLite's own words are for those who know SQLite: the others get what happened and what to do. */
function guarded(file: string, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    const { code, errcode, message } = error as { code?: string; errcode?: number; message?: string };
    if (errcode === 26 || errcode === 11) {
      throw new StoreOpenError(`${file} is damaged or not a store; restore a copy, or move it away to start empty`, {
        cause: error,
      });
    }
    if (
      errcode === 14 ||
      errcode === 8 ||
      code === "EACCES" ||
      code === "EROFS" ||
      code === "EPERM" ||
      code === "ENOTDIR" ||
      code === "ENOENT" ||
      code === "EEXIST"
    ) {
      throw new StoreOpenError(
        `${file} cannot be opened for writing; check that the folder exists, is yours and has room, or set DATA_DIR`,
        { cause: error },
      );
    }
    if (errcode === 5)
      throw new StoreOpenError(`${file} is locked by another program; stop it, or choose another DATA_DIR`, {
        cause: error,
      });
    if (errcode === 13 || code === "ENOSPC")
      throw new StoreOpenError(`${file} cannot grow: the disk is full`, { cause: error });
    throw new StoreOpenError(`${file} cannot be opened: ${message ?? String(error)}`, { cause: error });
  }
}
