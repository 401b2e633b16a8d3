/** A SQLite file with one table, and a table `export` with its row count. Lists are JSON, times ISO 8601 in UTC. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { ExportFormat } from "../format.ts";
import type { Cell, CellType } from "../kinds.ts";

const TYPES: Record<CellType, string> = {
  text: "TEXT",
  integer: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  time: "TEXT",
  list: "TEXT",
};

export const sqlite: ExportFormat = {
  name: "sqlite",
  extensions: [".sqlite", ".db"],
  mediaType: "application/vnd.sqlite3",
  hasShapes: false,
  /** SQLite needs a file, which is written in the temporary directory first. */
  async *encode({ name, columns }, batches) {
    const folder = mkdtempSync(join(tmpdir(), "triptych-export-"));
    const file = join(folder, "export.sqlite");
    const db = new DatabaseSync(file);
    let fd: number | null = null;
    try {
      const definitions = columns.map((column) => `"${column.name}" ${TYPES[column.type]}`);
      db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192");
      // One transaction: SQLite begins none in a file that has lost its name.
      db.exec(`BEGIN; CREATE TABLE ${name} (${definitions.join(", ")}) STRICT;
        CREATE TABLE export (kind TEXT NOT NULL, rows INTEGER NOT NULL) STRICT`);
      fd = openSync(file, "r");
      removeIfAllowed(folder);
      const insert = db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
      let rows = 0;
      for await (const batch of batches) {
        for (const row of batch) insert.run(...columns.map((column) => toValue(row[column.name] ?? null)));
        rows += batch.length;
      }
      db.prepare("INSERT INTO export VALUES (?, ?)").run(name, rows);
      db.exec("COMMIT");
      db.close();
      yield* createReadStream(file, { fd, start: 0, autoClose: false }) as AsyncIterable<Uint8Array>;
    } finally {
      if (db.isOpen) db.close();
      if (fd !== null) closeSync(fd);
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** A file without a name is gone with its process, however that ends. Not every system allows it. */
function removeIfAllowed(folder: string): void {
  try {
    rmSync(folder, { recursive: true });
  } catch {
    // It is removed when the export ends.
  }
}

function toValue(cell: Cell): SQLInputValue {
  if (typeof cell === "boolean") return Number(cell);
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell) : cell;
}
