/** `DATA_DIR/rejects/<job>.ndjson`: every refused record with its file, line and reason. Made whole when a job ends. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Jobs } from "#store/store.ts";

const PAGE = 1_000;

/** The file's path; null when nothing was refused. */
export async function writeRejects(jobs: Jobs, jobId: string, dataDir: string): Promise<string | null> {
  let rejects = await jobs.listRejects(jobId, 0, PAGE);
  if (rejects.length === 0) return null;
  const folder = join(dataDir, "rejects");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${jobId}.ndjson`);
  const draft = `${path}.part`;
  const file = await open(draft, "w");
  try {
    for (let after = 0; rejects.length > 0; rejects = await jobs.listRejects(jobId, after, PAGE)) {
      await file.appendFile(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(""));
      after += rejects.length;
    }
    await file.sync();
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  renameSync(draft, path);
  return path;
}
