/** Writes `DATA_DIR/rejects/<job>.ndjson` when a job ends: every refused record with file, line, code and reason. */
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Jobs } from "#store/jobs.ts";
import { refusalCode, refusalText } from "#api/refusals.ts";

const PAGE_SIZE = 1_000;

/** Returns the file's path, or null if nothing was refused. */
export async function writeRejects(jobs: Jobs, jobId: string, dataDir: string): Promise<string | null> {
  let rejects = await jobs.listRejects(jobId, 0, PAGE_SIZE);
  if (rejects.length === 0) return null;
  const folder = join(dataDir, "rejects");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${jobId}.ndjson`);
  // Several processes may end one job in one folder: each writes its own file, and the last rename wins.
  const temporaryPath = `${path}.${randomUUID()}.part`;
  const file = await open(temporaryPath, "w");
  try {
    while (rejects.length > 0) {
      await file.appendFile(
        rejects
          .map(({ file: name, line, reason }) => {
            const reject = { file: name, line, code: refusalCode(reason), reason: refusalText(reason) };
            return `${JSON.stringify(reject)}\n`;
          })
          .join(""),
      );
      rejects = await jobs.listRejects(jobId, rejects.at(-1)?.number ?? 0, PAGE_SIZE);
    }
    await file.sync();
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  renameSync(temporaryPath, path);
  return path;
}
