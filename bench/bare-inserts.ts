/**
 * Bare inserts of the rows of an imported store: the same tables, indexes, order and transactions, `synchronous=FULL`,
 * prepared statements, and nothing else to do.
 */
import { rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { TITLE_SEPARATOR } from "#search/documents.ts";
import { listsOf } from "#store/lists/port.ts";
import { SCHEMA } from "#store/sqlite/schema.ts";
import { withPartition } from "#store/search/sqlite.ts";
import { renderedId } from "#store/rendered/sqlite.ts";

const ROWS_PER_TRANSACTION = 5_000;
const PRAGMAS = "journal_mode=WAL synchronous=FULL foreign_keys=ON secure_delete=ON cache_size=-65536".split(" ");

type Values = SQLInputValue[];
type Row = [statement: StatementSync, values: Values];

/** Seconds. */
export function insertBare(from: string, to: string): number {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(to + suffix, { force: true });
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  for (const pragma of PRAGMAS) target.exec(`PRAGMA ${pragma}`);
  target.exec(SCHEMA);
  let seconds = 0;
  for (const batch of allRows(source, target)) {
    const startedAt = performance.now();
    target.exec("BEGIN IMMEDIATE");
    for (const [statement, values] of batch) statement.run(...values);
    target.exec("COMMIT");
    seconds += (performance.now() - startedAt) / 1000;
  }
  source.close();
  target.close();
  return seconds;
}

/** Tables whose rows are inserted beside the record that they were derived from, as an import does. */
const RECORD_TABLES = ["records", "rendered_records", "account_names", "post_lists", "counter_points", "search_docs"];

function* allRows(source: DatabaseSync, target: DatabaseSync): Generator<Row[]> {
  const isEmpty = (name: string) => target.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() === undefined;
  // As created, so that what is referred to comes first. The first rows of a new store are there already.
  const tables = source
    .prepare(
      `SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name)
       WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY sqlite_schema.rowid`,
    )
    .all() as { name: string }[];
  for (const { name } of tables) {
    if (RECORD_TABLES.includes(name) || !isEmpty(name)) continue;
    const insert = insertInto(target, name);
    const rows = source.prepare(`SELECT * FROM "${name}"`).all();
    yield rows.map((row) => [insert, Object.values(row)]);
  }
  yield* rowsOfRecords(source, target);
}

function insertInto(target: DatabaseSync, name: string): StatementSync {
  const columns = target.prepare("SELECT name FROM pragma_table_info(?)").all(name);
  return target.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`);
}

function* rowsOfRecords(source: DatabaseSync, target: DatabaseSync): Generator<Row[]> {
  const insert = Object.fromEntries(RECORD_TABLES.map((name) => [name, insertInto(target, name)]));
  const index = target.prepare(
    "INSERT INTO search_index (rowid, title, tags, text, filter_terms) VALUES (?, ?, ?, ?, ?)",
  );
  const records = source.prepare("SELECT * FROM records WHERE number > ? ORDER BY number LIMIT ?");
  const rendered = source.prepare("SELECT * FROM rendered_records WHERE id >= ? AND id < ?");
  const names = source.prepare("SELECT * FROM account_names WHERE platform = ? AND name = ? AND id = ?");
  const points = source.prepare("SELECT * FROM counter_points WHERE platform = ? AND kind = ? AND id = ?");
  const document = source.prepare(
    `SELECT d.* FROM search_partitions p JOIN search_docs d ON d.partition = p.partition
     WHERE p.platform = ? AND p.kind = ? AND d.id = ?`,
  );
  for (let last = 0; ;) {
    const page = records.all(last, ROWS_PER_TRANSACTION);
    if (page.length === 0) return;
    const rows: Row[] = [];
    const add = (table: string, ...found: Values[]) => {
      for (const values of found) rows.push([insert[table] as StatementSync, values]);
    };
    const documents: (Record<string, string> & { sort_key: number; partition: number })[] = [];
    for (const record of page) {
      last = Number(record["number"]);
      const { platform, kind, id, header } = record as Record<string, string>;
      const key: Values = [platform as string, kind as string, id as string];
      add("records", Object.values(record));
      add("rendered_records", ...rendered.all(renderedId(last, 0), renderedId(last + 1, 0)).map(Object.values));
      const doc = document.get(...key) as (typeof documents)[number];
      add("search_docs", Object.values(doc));
      documents.push(doc);
      const about = JSON.parse(header as string) as Post & Account;
      if (kind === "account" && about.name !== null) {
        add("account_names", ...names.all(platform as string, foldName(about.name), id as string).map(Object.values));
      }
      if (kind === "post") {
        const lists = listsOf(about).map(({ list, key: of, at }) => [platform, list, of, at, id, last] as Values);
        add("post_lists", ...lists);
      }
      add("counter_points", ...points.all(...key).map(Object.values));
    }
    // In ascending rowid order, which FTS5 appends fastest.
    for (const doc of documents.toSorted((a, b) => a.sort_key - b.sort_key)) {
      const { sort_key, partition, title = "", tags = "", text = "", filter_terms = "" } = doc;
      const fields = [title.replaceAll(TITLE_SEPARATOR, " "), tags, text, filter_terms];
      rows.push([index, [sort_key, ...fields.map((tokens) => withPartition(tokens, partition))]]);
    }
    yield rows;
  }
}
