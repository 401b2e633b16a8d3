/** `DATA_DIR/rejects/<job>.ndjson`: every refused record with its file, line, code and reason. Made whole when a job ends. */
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Jobs } from "#store/store.ts";
import { refusalCode, refusalText } from "#api/refusals.ts";

const PAGE = 1_000;

/** The file's path; null when nothing was refused. */
export async function writeRejects(jobs: Jobs, jobId: string, dataDir: string): Promise<string | null> {
  let rejects = await jobs.listRejects(jobId, 0, PAGE);
  if (rejects.length === 0) return null;
  const folder = join(dataDir, "rejects");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${jobId}.ndjson`);
  // Several processes may end one job in one folder: each makes its own, and the last one stays.
  const draft = `${path}.${randomUUID()}.part`;
  const file = await open(draft, "w");
  try {
    while (rejects.length > 0) {
      await file.appendFile(
        rejects
          .map(({ file: name, line, reason }) => ({
            file: name,
            line,
            code: refusalCode(reason),
            reason: refusalText(reason),
          }))
          .map((reject) => `${JSON.stringify(reject)}\n`)
          .join(""),
      );
      rejects = await jobs.listRejects(jobId, rejects.at(-1)?.number ?? 0, PAGE);
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
