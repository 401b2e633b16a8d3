/** Writes `DATA_DIR/rejects/<job>.ndjson` when a job ends: every refused record with file, line, code and reason. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Jobs } from "#store/jobs/port.ts";
import { refusalCode, refusalText } from "#api/refusals.ts";

const PAGE_SIZE = 1_000;

/** Writes the files of jobs again whose rejects have changed, where there are any. All old ones go first, whatever fails then. */
export async function rewriteRejects(jobs: Jobs, jobIds: readonly string[], dataDir: string): Promise<void> {
  const pathOf = (jobId: string) => join(dataDir, "rejects", `${jobId}.ndjson`);
  const written = jobIds.filter((jobId) => existsSync(pathOf(jobId)));
  for (const jobId of written) rmSync(pathOf(jobId));
  for (const jobId of written) await writeRejects(jobs, jobId, dataDir);
}

/** Returns the file's path, or null if nothing was refused. */
export async function writeRejects(jobs: Jobs, jobId: string, dataDir: string): Promise<string | null> {
  let rejects = await jobs.listRejects(jobId, 0, PAGE_SIZE);
  if (rejects.length === 0) return null;
  const folder = join(dataDir, "rejects");
  // File names may be those of people: readable by the owner only.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${jobId}.ndjson`);
  // Several processes may end one job in one folder: each writes its own file, and the last rename wins.
  const temporaryPath = `${path}.${randomUUID()}.part`;
  const file = await open(temporaryPath, "w", 0o600);
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
