/**
 * How fast an import is beside bare inserts of the very same rows: the same tables, indexes and order, the same
 * transactions and `synchronous=FULL`, prepared statements, and nothing else to do. Both in one run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Post } from "#domain/post.ts";
import { listsOf } from "#store/post-lists.ts";
import { MIGRATIONS } from "#store/sqlite/migrations.ts";
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

async function importCapture(capture: string, dataDir: string): Promise<{ seconds: number; peakMemoryMB: number }> {
  const began = performance.now();
  // The child says its own peak when it ends.
  const tell = "process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`))";
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(tell)}`, MAIN, "import", capture, "--json"],
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

type Row = [statement: StatementSync, values: (string | number | null)[]];

function insertBare(from: string, to: string): { seconds: number; rows: number } {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(to + suffix, { force: true });
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  target.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -65536",
  );
  for (const migration of MIGRATIONS) target.exec(migration);
  for (const { scope, platform, kind } of source.prepare("SELECT * FROM search_scopes").all() as Record<
    string,
    string
  >[]) {
    target.prepare("INSERT INTO search_scopes VALUES (?, ?, ?)").run(Number(scope), platform as string, kind as string);
  }
  const statements = bareStatements(target);
  const documents = source.prepare(
    `SELECT d.doc, d.scope, d.id, d.at, d.engagement, d.language, d.country, d.strong, d.weak, s.platform, s.kind,
       r.header, r.native, r.captured_at, r.source
     FROM search_docs d JOIN search_scopes s ON s.scope = d.scope
     JOIN records r ON r.platform = s.platform AND r.kind = s.kind AND r.id = d.id WHERE d.doc > ? ORDER BY d.doc LIMIT ?`,
  );
  const points = source.prepare(
    "SELECT captured_at, counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ?",
  );
  let seconds = 0;
  let rows = 0;
  for (let last = 0; ;) {
    const page = documents.all(last, ROWS_A_TRANSACTION) as unknown as DocumentRow[];
    if (page.length === 0) break;
    last = (page.at(-1) as DocumentRow).doc;
    const batch = page.flatMap((row) => rowsOf(row, statements, points));
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

interface DocumentRow {
  doc: number;
  scope: number;
  id: string;
  at: number;
  engagement: number;
  language: string | null;
  country: string | null;
  strong: string;
  weak: string;
  platform: string;
  kind: string;
  header: string;
  native: string;
  captured_at: number;
  source: string;
}

function bareStatements(db: DatabaseSync) {
  return {
    record: db.prepare(
      "INSERT INTO records (platform, kind, id, header, native, captured_at, source, version) VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
    ),
    name: db.prepare("INSERT OR IGNORE INTO account_names (platform, name, id, captured_at) VALUES (?, ?, ?, ?)"),
    list: db.prepare("INSERT INTO post_lists (platform, list, key, at, post_id) VALUES (?, ?, ?, ?, ?)"),
    point: db.prepare("INSERT INTO counter_points (platform, kind, id, captured_at, counters) VALUES (?, ?, ?, ?, ?)"),
    document: db.prepare(
      "INSERT INTO search_docs (doc, scope, id, at, engagement, language, country, strong, weak) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    index: db.prepare("INSERT INTO search_index (rowid, strong, weak) VALUES (?, ?, ?)"),
  };
}

function rowsOf(row: DocumentRow, to: ReturnType<typeof bareStatements>, points: StatementSync): Row[] {
  const { doc, scope, platform, kind, id, strong, weak, header } = row;
  const rows: Row[] = [
    [to.record, [platform, kind, id, header, row.native, row.captured_at, row.source]],
    [to.document, [doc, scope, id, row.at, row.engagement, row.language, row.country, strong, weak]],
    [to.index, [doc, scoped(strong, scope), scoped(weak, scope)]],
  ];
  if (kind === "account")
    rows.push([to.name, [platform, (JSON.parse(header) as { name: string }).name, id, row.captured_at]]);
  if (kind === "post") {
    for (const { list, key, at } of listsOf(JSON.parse(header) as Post))
      rows.push([to.list, [platform, list, key, at, id]]);
  }
  for (const point of points.all(platform, kind, id) as { captured_at: number; counters: string }[]) {
    rows.push([to.point, [platform, kind, id, point.captured_at, point.counters]]);
  }
  return rows;
}

function scoped(tokens: string, scope: number): string {
  return tokens === "" ? "" : `${scope}:${tokens.replaceAll(" ", ` ${scope}:`)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
