/**
 * How fast an import is beside bare inserts of the very same rows: the same tables, indexes and order, the same
 * transactions and `synchronous=FULL`, prepared statements, and nothing else to do. Both in one run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { BETWEEN_TITLES } from "#search/documents.ts";
import { listsOf } from "#store/post-lists.ts";
import { MIGRATIONS } from "#store/sqlite/migrations.ts";
import { scoped } from "#store/sqlite/search-index.ts";
import { shownId } from "#store/sqlite/shown-rows.ts";
import { STORE_FILE } from "#store/sqlite/store.ts";
import { writeCapture } from "./capture.ts";

const MAIN = resolve(import.meta.dirname, "../src/surfaces/cli/main.ts");
const ROWS_A_TRANSACTION = 5_000;

export async function run(options: Record<string, string>): Promise<object> {
  const items = Number(options["items"] ?? 1_000_000);
  const folder = join(tmpdir(), "triptych-bench");
  mkdirSync(folder, { recursive: true });
  const capture = join(folder, `capture-${items}.ndjson`);
  if (!existsSync(capture)) {
    console.log(`writing a capture of ${items} posts`);
    await writeCapture(`${capture}.part`, items);
    renameSync(`${capture}.part`, capture);
  }
  const dataDir = join(folder, "import-data");
  rmSync(dataDir, { recursive: true, force: true });

  console.log(`importing ${(statSync(capture).size / 1e6).toFixed(0)} MB of NDJSON`);
  const imported = await importCapture(capture, dataDir);
  console.log("inserting the same rows with bare node:sqlite");
  const bare = insertBare(join(dataDir, STORE_FILE), join(folder, "bare.sqlite"));
  const results = {
    posts: items,
    importSeconds: round(imported.seconds),
    importPostsPerSecond: Math.round(items / imported.seconds),
    peakMemoryMB: imported.peakMemoryMB,
    bareSeconds: round(bare.seconds),
    barePostsPerSecond: Math.round(items / bare.seconds),
    bareRows: bare.rows,
    ratio: round(bare.seconds / imported.seconds),
    storeMB: Math.round(statSync(join(dataDir, STORE_FILE)).size / 1e6),
  };
  console.table(results);
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(join(folder, "bare.sqlite"), { force: true });
  return results;
}

export async function importCapture(
  capture: string,
  dataDir: string,
  options: readonly string[] = [],
): Promise<{ seconds: number; peakMemoryMB: number }> {
  const began = performance.now();
  // The child says its own peak when it ends.
  const tell = "process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`))";
  const child = spawn(
    process.execPath,
    [...options, "--import", `data:text/javascript,${encodeURIComponent(tell)}`, MAIN, "import", capture, "--json"],
    {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let peak = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const said = /peak (\d+)/.exec(text);
    if (said === null) process.stdout.write(text);
    else peak = Number(said[1]);
  });
  const [code] = (await once(child, "exit")) as [number];
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, peakMemoryMB: Math.round(peak / 1024) };
}

type Values = SQLInputValue[];
type Row = [statement: StatementSync, values: Values];

function insertBare(from: string, to: string): { seconds: number; rows: number } {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(to + suffix, { force: true });
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  target.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -65536",
  );
  for (const migration of MIGRATIONS) target.exec(migration);
  let seconds = 0;
  let rows = 0;
  for (const batch of allRows(source, target)) {
    const began = performance.now();
    target.exec("BEGIN IMMEDIATE");
    for (const [statement, values] of batch) statement.run(...values);
    target.exec("COMMIT");
    seconds += (performance.now() - began) / 1000;
    rows += batch.length;
  }
  source.close();
  target.close();
  return { seconds, rows };
}

/** Tables whose rows are inserted beside the record that they were derived from, as an import does. */
const OF_RECORDS = ["records", "shown", "account_names", "post_lists", "counter_points", "search_docs"];

function* allRows(source: DatabaseSync, target: DatabaseSync): Generator<Row[]> {
  const isEmpty = (db: DatabaseSync, name: string) => db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() === undefined;
  // As created, so that what is referred to comes first. What the migrations filled is there already.
  const tables = source
    .prepare(
      `SELECT name FROM sqlite_schema JOIN pragma_table_list USING (name)
       WHERE pragma_table_list.type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY sqlite_schema.rowid`,
    )
    .all() as { name: string }[];
  for (const { name } of tables) {
    if (!OF_RECORDS.includes(name) && isEmpty(target, name)) yield* rowsOfTable(source, target, name);
  }
  yield* rowsOfRecords(source, target);
}

function* rowsOfTable(source: DatabaseSync, target: DatabaseSync, name: string): Generator<Row[]> {
  const insert = inserting(target, name);
  let batch: Row[] = [];
  for (const row of source.prepare(`SELECT * FROM "${name}"`).iterate()) {
    batch.push([insert, Object.values(row)]);
    if (batch.length < ROWS_A_TRANSACTION) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function inserting(target: DatabaseSync, name: string): StatementSync {
  const columns = target.prepare("SELECT name FROM pragma_table_info(?)").all(name);
  return target.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`);
}

function* rowsOfRecords(source: DatabaseSync, target: DatabaseSync): Generator<Row[]> {
  const insert = Object.fromEntries(OF_RECORDS.map((name) => [name, inserting(target, name)]));
  const index = target.prepare("INSERT INTO search_index (rowid, title, tags, text, marks) VALUES (?, ?, ?, ?, ?)");
  const records = source.prepare("SELECT * FROM records WHERE number > ? ORDER BY number LIMIT ?");
  const shown = source.prepare("SELECT * FROM shown WHERE id >= ? AND id < ?");
  const names = source.prepare("SELECT * FROM account_names WHERE platform = ? AND name = ? AND id = ?");
  const points = source.prepare("SELECT * FROM counter_points WHERE platform = ? AND kind = ? AND id = ?");
  const document = source.prepare(
    `SELECT d.* FROM search_scopes s JOIN search_docs d ON d.scope = s.scope
     WHERE s.platform = ? AND s.kind = ? AND d.id = ?`,
  );
  for (let last = 0; ;) {
    const page = records.all(last, ROWS_A_TRANSACTION);
    if (page.length === 0) return;
    const rows: Row[] = [];
    const add = (table: string, ...found: Values[]) => {
      for (const values of found) rows.push([insert[table] as StatementSync, values]);
    };
    const documents: SearchDocRow[] = [];
    for (const record of page) {
      last = Number(record["number"]);
      const { platform, kind, id, header } = record as Record<string, string>;
      const key: Values = [platform as string, kind as string, id as string];
      add("records", Object.values(record));
      add("shown", ...shown.all(shownId(last, 0), shownId(last + 1, 0)).map(Object.values));
      const held = document.get(...key) as unknown as SearchDocRow;
      add("search_docs", Object.values(held));
      documents.push(held);
      const about = JSON.parse(header as string) as Post & Account;
      if (kind === "account" && about.name !== null) {
        add("account_names", ...names.all(platform as string, foldName(about.name), id as string).map(Object.values));
      }
      if (kind === "post") {
        const lists = listsOf(about).map((entry) => [platform, entry.list, entry.key, entry.at, id, last] as Values);
        add("post_lists", ...lists);
      }
      add("counter_points", ...points.all(...key).map(Object.values));
    }
    // In order of place, as the index likes them best.
    for (const { place, scope, title, tags, text, marks } of documents.toSorted((a, b) => a.place - b.place)) {
      const titles = title.replaceAll(BETWEEN_TITLES, " ");
      rows.push([index, [place, ...[titles, tags, text, marks].map((tokens) => scoped(tokens, scope))]]);
    }
    yield rows;
  }
}

interface SearchDocRow {
  place: number;
  scope: number;
  title: string;
  tags: string;
  text: string;
  marks: string;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
