/** Reads and fills whole tables. A snapshot has a connection of its own, whose read transaction no writer waits for. */
import { setImmediate } from "node:timers/promises";
import type { PlatformName } from "#domain/record.ts";
import { Searcher } from "#search/searcher.ts";
import { nativeColumn } from "./native-column.ts";
import { decodeCommentRow, decodeRecordRow, ErasedRows, rowsThatCount, searchDocumentOf } from "./rows.ts";
import {
  placeRows,
  type RowFilter,
  type Rows,
  StoreNotEmpty,
  TABLE_NAMES,
  type TableName,
  type TableReader,
  type TableRow,
  TABLES,
  type Tables,
  type TypedBatch,
} from "./port.ts";
import type { Database } from "#store/sqlite/database.ts";
import type { RenderedRows } from "#store/rendered/sqlite.ts";
import { createSearchEngine } from "#store/search/engine.sqlite.ts";
import { SearchIndex } from "#store/search/sqlite.ts";
import { markTrendsStale } from "#store/trends/sqlite.ts";
import { RowWriter } from "#store/write/batch.sqlite.ts";

/** Tables whose rowid orders them by insertion, as search documents are. */
const ROWID_TABLES: ReadonlySet<TableName> = new Set(["records", "comments", "subtitles"]);

const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 2_000_000;
/** How many rows that do not match are read between two pauses, on average. */
const PAUSE_ROWS = 128;

export function createTables(openSnapshot: () => Database, writing: Database, rendered: RenderedRows): Tables {
  return {
    snapshot: createSnapshots(openSnapshot),
    async fill(work) {
      const index = new SearchIndex(writing);
      const writer = new RowWriter(writing, index, rendered);
      return writing.longTransaction(async () => {
        for (const table of TABLE_NAMES) {
          if (writing.get(rowsThatCount(table)) !== undefined) throw new StoreNotEmpty(table);
        }
        // A token may refer to its replacement, which may come later.
        writing.exec("PRAGMA defer_foreign_keys = ON");
        const revoked = writing.allTuples<[string]>("SELECT key_id FROM tokens").map(([keyId]) => keyId);
        const erased = new ErasedRows(
          writing.allTuples<[string, string, string]>("SELECT platform, kind, id FROM erased"),
          revoked,
        );
        const result = await work({
          ...createTableReader(writing),
          async learn(batch, kind) {
            writeRows(writer, { table: "erased", rows: erased.learn(batch, kind) });
          },
          async write(batch) {
            const { kept, ...left } = erased.split(batch);
            writer.begin();
            writeRows(writer, kept);
            writeRows(writer, { table: "erased", rows: left.learnt });
            index.finish();
            return left;
          },
        });
        markTrendsStale(writing);
        return result;
      });
    },
  };
}

export function createSnapshots(openSnapshot: () => Database): Tables["snapshot"] {
  return async (work) => {
    const db = openSnapshot();
    try {
      db.exec("BEGIN");
      return await work(createTableReader(db));
    } finally {
      db.close();
    }
  };
}

function createTableReader(db: Database): TableReader {
  return {
    read: (table, filter = {}) => readTable(db, table, filter),
    async getAccountRows(platform, ids, filter = {}) {
      const sql = `SELECT ${selectColumns("records", filter)} FROM records
        WHERE platform = ? AND kind = 'account' AND id IN (SELECT value FROM json_each(?))`;
      const rows = db.allTuples<Rows["records"]>(sql, platform, JSON.stringify(ids));
      return new Map(rows.map((row) => [row[2], row]));
    },
    async getAccountIds(platform, names) {
      const sql = `SELECT name, id FROM account_names
        WHERE platform = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY captured_at, id DESC`;
      return new Map(db.allTuples<[string, string]>(sql, platform, JSON.stringify(names)));
    },
    resolveQuery: (platform, text) => new Searcher(createSearchEngine(db)).resolve(platform, text),
  };
}

function selectColumns(table: TableName, filter: RowFilter): string {
  return TABLES[table].map((column) => (column === "native" ? nativeColumn(filter) : column)).join(", ");
}

async function* readTable<Name extends TableName>(
  db: Database,
  table: Name,
  filter: RowFilter,
): AsyncGenerator<Rows[Name][]> {
  const { platforms, kind } = filter;
  // Without the plus signs SQLite would take an index and sort the whole result.
  const conditions = [
    ...(platforms === undefined ? [] : [`+platform IN (${platforms.map(() => "?").join(", ")})`]),
    ...(kind === undefined ? [] : ["+kind = ?"]),
  ];
  // Where few rows match, some of the others are returned too, since nothing else runs between two rows.
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")} OR random() % ${PAUSE_ROWS} = 0`;
  const order = ROWID_TABLES.has(table) ? " ORDER BY rowid" : "";
  const values = [...(platforms ?? []), ...(kind === undefined ? [] : [kind])];
  let batch: Rows[Name][] = [];
  let size = 0;
  let skipped = 0;
  for (const row of db.eachTuple<Rows[Name]>(
    `SELECT ${selectColumns(table, filter)} FROM ${table}${where}${order}`,
    ...values,
  )) {
    const isFound = isMatch(row, filter);
    if (isFound) {
      batch.push(row);
      for (const value of row) if (typeof value === "string") size += value.length;
    } else skipped += PAUSE_ROWS;
    // Where few rows match, those that do not fill a batch too: its reader may have left, or have a time limit.
    if (batch.length + skipped >= BATCH_ROWS || size >= BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      size = 0;
      skipped = 0;
    } else if (isFound) continue;
    // SQLite never waits: without this, a reader would keep the process from everything else.
    await setImmediate();
  }
  if (batch.length > 0) yield batch;
}

/** Every table that is filtered starts with these columns. */
function isMatch([platform, kind]: TableRow, filter: RowFilter): boolean {
  const isOfPlatform = filter.platforms === undefined || filter.platforms.includes(platform as PlatformName);
  return isOfPlatform && (filter.kind === undefined || kind === filter.kind);
}

function writeRows({ state, index, rendered, concerns, lists }: RowWriter, batch: TypedBatch): void {
  const { db } = state;
  const columns = TABLES[batch.table];
  const insert = `INSERT INTO ${batch.table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
  for (const [table, row] of placeRows(batch)) {
    if (table === "comments") {
      const { platform, postId, encoded } = decodeCommentRow(row);
      concerns.comment.put(platform, postId, encoded);
      continue;
    }
    const { lastInsertRowid: number } = db.run(insert, ...row);
    if (table === "records") {
      const { platform, kind, encoded } = decodeRecordRow(row);
      rendered.write(platform, kind, number, encoded);
      index.put(platform, kind, encoded.id, encoded.document, "new");
      if (kind === "post") lists.write({ platform, before: null, now: encoded }, number);
    } else if (table === "subtitles") index.put(...searchDocumentOf(table, row), "new");
  }
}
