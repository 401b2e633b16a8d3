/** What the search index costs: its bytes, and the speed of an import with it and without it. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { STORE_FILE } from "#store/sqlite/store.ts";
import { writeCapture } from "./capture.ts";
import { importCapture } from "./import.ts";
import { FOLDER } from "./search-stores.ts";
import { rounded } from "./taking-turns.ts";

/** Bytes of the search tables with their indexes, and of the whole file. */
export function indexBytes(folder: string): { search: number; file: number; tables: Record<string, number> } {
  const db = new DatabaseSync(join(folder, STORE_FILE), { readOnly: true });
  const rows = db
    .prepare(
      `SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes FROM dbstat('main', 1) AS d
       LEFT JOIN sqlite_schema AS s ON s.name = d.name GROUP BY 1 ORDER BY 2 DESC`,
    )
    .all() as { name: string; bytes: number }[];
  db.close();
  const search = rows.filter(({ name }) => name.startsWith("search_"));
  return {
    search: search.reduce((sum, { bytes }) => sum + bytes, 0),
    file: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: Object.fromEntries(search.map(({ name, bytes }) => [name, bytes])),
  };
}

/** Seconds of making rows, which an import does on another thread, and of writing them. */
export interface Upkeep {
  posts: number;
  /** Of each run, in turns. */
  secondsWith: number[];
  secondsWithout: number[];
  /** Speed with the index as a share of the speed without, by the best run of each. */
  speedKept: number;
}

const ROUNDS = 3;
const WITHOUT_INDEX = pathToFileURL(join(import.meta.dirname, "without-index.ts")).href;

export async function measureUpkeep(posts: number): Promise<Upkeep> {
  const capture = join(FOLDER, `upkeep-${posts}.ndjson`);
  if (!existsSync(capture)) {
    await writeCapture(`${capture}.part`, posts);
    renameSync(`${capture}.part`, capture);
  }
  const dataDir = join(FOLDER, "upkeep-data");
  const timed = async (without: boolean) => {
    rmSync(dataDir, { recursive: true, force: true });
    const { seconds } = await importCapture(capture, dataDir, without ? ["--import", WITHOUT_INDEX] : []);
    assertIndexed(dataDir, !without);
    return rounded(seconds);
  };
  const [secondsWith, secondsWithout]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    secondsWith.push(await timed(false));
    secondsWithout.push(await timed(true));
  }
  rmSync(dataDir, { recursive: true, force: true });
  const speedKept = rounded(Math.min(...secondsWithout) / Math.min(...secondsWith));
  return { posts, secondsWith, secondsWithout, speedKept };
}

/** A comparison of two imports that both index, or both do not, would say nothing. */
function assertIndexed(dataDir: string, expected: boolean): void {
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true });
  const indexed = db.prepare("SELECT 1 FROM search_docs LIMIT 1").get() !== undefined;
  db.close();
  if (indexed !== expected) throw new Error(`the import was expected to ${expected ? "fill" : "leave out"} the index`);
}
