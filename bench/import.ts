/**
 * `npm run bench -- import [--posts=1000000 --rounds=1]`: the import beside bare inserts of the same rows.
 * `scale` has PostgreSQL.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { insertBare } from "./bare-inserts.ts";
import { openPostCapture } from "./corpus.ts";
import { measured, ratios, type Result } from "./report.ts";
import { importCaptures } from "./service.ts";

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
    return importResults("file", posts, imports, "bare inserts", inserts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function importResults(
  store: string,
  posts: number,
  imports: number[],
  base: string,
  bare: number[],
): [Result, Result] {
  const rate = imports.map((seconds) => posts / seconds);
  return [
    measured(`${store}: posts imported per second`, rate),
    measured(`${store}: share of ${base}`, ratios(bare, imports)),
  ];
}
