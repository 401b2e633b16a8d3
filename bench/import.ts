/**
 * `npm run bench -- import [--posts=1000000 --postgres-posts=50000 --rounds=1]`: the import beside bare inserts (file) and
 * bare COPY (PostgreSQL) of the same rows.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORE_FILE } from "#store/sqlite/store.ts";
import { copyBare, createDatabase, startDurableServer } from "./bare-copy.ts";
import { insertBare } from "./bare-inserts.ts";
import { openPostCapture } from "./corpus.ts";
import { measured, ratios, type Result } from "./report.ts";
import { importCaptures } from "./service.ts";

export async function run(options: Record<string, string>): Promise<Result[]> {
  const rounds = Number(options["rounds"] ?? 1);
  const folder = mkdtempSync(join(tmpdir(), "triptych-import-"));
  try {
    const onFile = await importToFile(Number(options["posts"] ?? 1_000_000), rounds, folder);
    return [...onFile, ...(await importToPostgres(Number(options["postgres-posts"] ?? 50_000), rounds, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importToFile(posts: number, rounds: number, folder: string): Promise<Result[]> {
  const capture = await openPostCapture(posts);
  const [imports, inserts]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(folder, "data");
    rmSync(dataDir, { recursive: true, force: true });
    imports.push(await importCaptures([capture], { DATA_DIR: dataDir }));
    inserts.push(insertBare(join(dataDir, STORE_FILE), join(folder, "bare.sqlite")));
  }
  return importResults("file", posts, imports, "bare inserts", inserts);
}

async function importToPostgres(posts: number, rounds: number, folder: string): Promise<Result[]> {
  const capture = await openPostCapture(posts);
  const server = await startDurableServer();
  const [imports, copies]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round++) {
      const settings = { STORE_URL: await createDatabase(server, "imported"), DATA_DIR: join(folder, "importer") };
      imports.push(await importCaptures([capture], settings));
      copies.push(await copyBare(server, "imported", "copied"));
    }
  } finally {
    await server.stop();
  }
  return importResults("PostgreSQL", posts, imports, "bare COPY", copies);
}

export function importResults(
  store: string,
  posts: number,
  imports: readonly number[],
  baseline: string,
  bare: readonly number[],
): Result[] {
  const rate = imports.map((seconds) => posts / seconds);
  return [
    measured(`${store}: posts imported per second`, rate),
    measured(`${store}: share of ${baseline}`, ratios(bare, imports)),
  ];
}
