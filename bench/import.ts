/**
 * `npm run bench -- import [--posts=1000000 --rounds=1]`: the import beside bare inserts of the same rows, and exports of the
 * posts beside bare reads. `scale` has PostgreSQL.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Export, loadFormat } from "#export/export-rows.ts";
import { EXPORT_KINDS, type ExportKind } from "#export/kinds.ts";
import { openSqliteStore, STORE_FILE } from "#store/sqlite/store.ts";
import { insertBare } from "./bare-inserts.ts";
import { openPostCapture } from "./corpus.ts";
import { atLeast, interleave, measured, ratios, type Result } from "./report.ts";
import { importCaptures } from "./service.ts";

const BARE_READ = "SELECT * FROM records WHERE +kind = 'post' ORDER BY rowid";

export async function run(options: Record<string, string>): Promise<Result[]> {
  const posts = Number(options["posts"] ?? 1_000_000);
  const rounds = Number(options["rounds"] ?? 1);
  const folder = mkdtempSync(join(tmpdir(), "triptych-import-"));
  try {
    const capture = await openPostCapture(posts);
    const dataDir = join(folder, "data");
    const [imports, inserts]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      rmSync(dataDir, { recursive: true, force: true });
      imports.push(await importCaptures([capture], { DATA_DIR: dataDir }));
      inserts.push(insertBare(join(dataDir, STORE_FILE), join(folder, "bare.sqlite")));
    }
    return [...importResults("file", posts, imports, "bare inserts", inserts), ...(await compareExports(dataDir))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing is written: both only make what a file would have. */
async function compareExports(dataDir: string): Promise<Result[]> {
  const kind = EXPORT_KINDS.find(({ name }) => name === "posts") as ExportKind;
  const chosen = { kind, platforms: ["shortvideo"], where: null, bom: false, pseudonyms: null, shapeOf: () => null };
  const bare = new DatabaseSync(join(dataDir, STORE_FILE)).prepare(BARE_READ);
  bare.setReturnArrays(true);
  const store = openSqliteStore(dataDir);
  const [reads = [], ...exports] = await interleave([null, "ndjson", "csv"], 3, async (name) => {
    const startedAt = performance.now();
    if (name === null) bare.iterate().forEach(() => undefined);
    else {
      const request = { ...chosen, format: await loadFormat(name) };
      await store.tables.snapshot((reader) => Array.fromAsync(new Export(reader, request).chunks(), () => null));
    }
    return performance.now() - startedAt;
  });
  await store.close();
  return ["NDJSON", "CSV"].map((name, index) =>
    atLeast(0.4, measured(`file: speed of ${name} exports beside bare reads`, ratios(reads, exports[index] ?? []))),
  );
}

export function importResults(store: string, posts: number, imports: number[], base: string, bare: number[]): Result[] {
  const rate = imports.map((seconds) => posts / seconds);
  return [
    measured(`${store}: posts imported per second`, rate),
    measured(`${store}: share of ${base}`, ratios(bare, imports)),
  ];
}
