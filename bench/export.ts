/**
 * `npm run bench -- export [--posts=1000000 --rounds=3]`: exports of posts beside bare reads of the same rows, by processor
 * time, and their peak memory. Imports 5,000 posts and repeats their rows under other ids, which takes seconds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Export, FORMAT_NAMES, loadFormat } from "#export/export-rows.ts";
import { EXPORT_KINDS, type ExportKind } from "#export/kinds.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { openPostCapture } from "./corpus.ts";
import { runProgram } from "./processes.ts";
import { atLeast, atMost, interleave, measured, ratios, type Result } from "./report.ts";
import { importCaptures } from "./service.ts";

const IMPORTED = 5_000;
const COLUMNS = "platform, kind, header, native, captured_at, source, version";

/** Whole rows; and of these rows, what exports read, decoded and encoded once: no export of JSON columns can be faster. */
const WHOLE_ROWS = `SELECT * FROM records WHERE +kind = 'post' ORDER BY rowid`;
const HEADERS = `SELECT header, platform, id, captured_at, source FROM records WHERE +kind = 'post' ORDER BY rowid`;

export async function run(options: Record<string, string>): Promise<Result[]> {
  const posts = Number(options["posts"] ?? 1_000_000);
  const rounds = Number(options["rounds"] ?? 3);
  const folder = mkdtempSync(join(tmpdir(), "triptych-export-"));
  try {
    await importCaptures([await openPostCapture(IMPORTED)], { DATA_DIR: folder });
    repeatPosts(join(folder, STORE_FILE), Math.ceil(posts / IMPORTED));
    return [...(await compareSpeed(folder, rounds)), ...(await measureMemory(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function repeatPosts(file: string, times: number): void {
  const db = new DatabaseSync(file);
  db.exec("BEGIN");
  const [last] = Object.values(db.prepare("SELECT max(number) FROM records").get() ?? {});
  const repeat = db.prepare(`INSERT INTO records (id, ${COLUMNS})
    SELECT id || '-' || ?, ${COLUMNS} FROM records WHERE number <= ? AND kind = 'post'`);
  for (let time = 1; time < times; time++) repeat.run(time, last as number);
  db.exec("COMMIT");
  db.close();
}

/** Nothing is written: all only make what a file would have. */
async function compareSpeed(dataDir: string, rounds: number): Promise<Result[]> {
  const kind = EXPORT_KINDS.find(({ name }) => name === "posts") as ExportKind;
  const chosen = { kind, platforms: ["shortvideo"], where: null, bom: false, pseudonyms: null, shapeOf: () => null };
  const db = new DatabaseSync(join(dataDir, STORE_FILE));
  const store = openSqliteStore(dataDir);
  const readBare = (sql: string, use: (row: unknown[]) => void) => {
    const rows = db.prepare(sql);
    rows.setReturnArrays(true);
    for (const row of rows.iterate()) use(row as unknown as unknown[]);
  };
  const exportAs = async (name: string) => {
    const request = { ...chosen, format: await loadFormat(name) };
    await store.tables.snapshot((reader) =>
      Array.fromAsync(new Export(reader, request, () => null).chunks(), () => null),
    );
  };
  const work: Record<string, () => unknown> = {
    "bare reads": () => readBare(WHOLE_ROWS, () => undefined),
    "bare reads that decode and encode JSON": () =>
      readBare(HEADERS, ([header]) => JSON.stringify(JSON.parse(header as string))),
    "NDJSON exports": () => exportAs("ndjson"),
    "CSV exports": () => exportAs("csv"),
  };
  const [reads = [], ...others] = await interleave(Object.values(work), rounds, async (task) => {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  await store.close();
  db.close();
  const [, ...names] = Object.keys(work);
  return names.map((name, index) => {
    const result = measured(`file: speed of ${name} beside bare reads`, ratios(reads, others[index] ?? []));
    return name.endsWith("exports") ? atLeast(0.4, result) : result;
  });
}

/** Of the command, in each format. */
async function measureMemory(dataDir: string): Promise<Result[]> {
  const triptych = join(import.meta.dirname, "../bin/triptych.mjs");
  // As its first line has it.
  const youngGeneration = "--max-semi-space-size=8";
  const printPeak = "process.on('exit',()=>console.log(process.resourceUsage().maxRSS))";
  const command = [youngGeneration, "--import", `data:text/javascript,${printPeak}`, triptych];
  const results: Result[] = [];
  for (const format of FORMAT_NAMES) {
    const args = [...command, "export", "posts", "--data-dir", dataDir, "-o", join(dataDir, `posts.${format}`)];
    const { stdout } = await runProgram({ args, env: {} });
    results.push(atMost(300, { name: `${format}: peak memory of the command in MB`, value: Number(stdout) / 1_024 }));
  }
  return results;
}
