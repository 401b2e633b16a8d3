/** Import jobs: their files, checkpoints and rejects. */
import type { FileReport, Job, JobFile } from "#domain/job.ts";
import type { Jobs } from "../jobs.ts";
import type { Checkpoint } from "../writer.ts";
import { createClaims, deleteClaims, hasLiveClaim, renewClaim } from "./claims.ts";
import type { Database } from "./database.ts";
import type { JobFilesRow, JobRejectsRow, JobsRow } from "./rows.ts";

export function createJobs(db: Database): Jobs {
  return {
    ...createClaims(db),
    async writeJob(job) {
      writeJob(db, job);
    },
    async getJob(id) {
      const row = db.get<JobsRow>("SELECT * FROM jobs WHERE id = ?", id);
      return row === undefined ? null : toJob(row);
    },
    async startJob(job) {
      return db.transaction(() => {
        const row = db.get<JobsRow>(
          "SELECT * FROM jobs WHERE fingerprint = ? AND state = 'running' ORDER BY created_at DESC LIMIT 1",
          job.fingerprint,
        );
        const started = row === undefined ? job : { ...toJob(row), owner: job.owner, updatedAt: job.updatedAt };
        writeJob(db, started);
        return started;
      });
    },
    async finishJob(id, now) {
      return db.transaction(() => {
        if (hasLiveClaim(db, id)) return false;
        db.run("UPDATE jobs SET state = 'done', updated_at = max(updated_at, ?) WHERE id = ?", now, id);
        deleteClaims(db, id);
        return true;
      });
    },
    async listJobs(limit) {
      return db.all<JobsRow>("SELECT * FROM jobs ORDER BY created_at DESC, id LIMIT ?", limit).map(toJob);
    },
    async writeJobFile(file) {
      writeFile(db, file);
    },
    async listJobFiles(jobId) {
      return db.all<JobFilesRow>("SELECT * FROM job_files WHERE job_id = ? ORDER BY number", jobId).map((row) => ({
        jobId: row.job_id,
        name: row.name,
        fingerprint: row.fingerprint,
        state: row.state,
        position: row.position,
        report: JSON.parse(row.report) as FileReport,
      }));
    },
    async listRejects(jobId, after, limit) {
      return db
        .all<Omit<JobRejectsRow, "job_id">>(
          "SELECT number, file, line, reason FROM job_rejects WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?",
          jobId,
          after,
          limit,
        )
        .map((row) => ({ ...row }));
    },
  };
}

function writeJob(db: Database, job: Job): void {
  db.run(
    `INSERT INTO jobs (id, fingerprint, origin, label, state, created_at, updated_at, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at, owner = excluded.owner`,
    job.id,
    job.fingerprint,
    job.origin,
    job.label,
    job.state,
    job.createdAt,
    job.updatedAt,
    job.owner,
  );
}

/** Written in the same transaction as the records it covers. */
export function writeCheckpoint(db: Database, { file, rejects, restarted, claim }: Checkpoint): void {
  if (claim !== undefined) renewClaim(db, claim);
  writeFile(db, file);
  db.run("UPDATE jobs SET updated_at = max(updated_at, ?) WHERE id = ?", Date.now(), file.jobId);
  if (restarted) db.run("DELETE FROM job_rejects WHERE job_id = ? AND file = ?", file.jobId, file.name);
  if (rejects.length === 0) return;
  const last =
    db.get<{ n: number | null }>("SELECT max(number) AS n FROM job_rejects WHERE job_id = ?", file.jobId)?.n ?? 0;
  rejects.forEach((reject, index) => {
    db.run(
      "INSERT INTO job_rejects (job_id, number, file, line, reason) VALUES (?, ?, ?, ?, ?)",
      file.jobId,
      last + index + 1,
      reject.file,
      reject.line,
      reject.reason,
    );
  });
}

function writeFile(db: Database, file: JobFile): void {
  db.run(
    `INSERT INTO job_files (job_id, number, name, fingerprint, state, position, report)
     VALUES (?, (SELECT count(*) FROM job_files WHERE job_id = ?), ?, ?, ?, ?, ?)
     ON CONFLICT (job_id, name) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       position = excluded.position, report = excluded.report`,
    file.jobId,
    file.jobId,
    file.name,
    file.fingerprint,
    file.state,
    file.position,
    JSON.stringify(file.report),
  );
}

function toJob({ created_at: createdAt, updated_at: updatedAt, ...job }: JobsRow): Job {
  return { ...job, createdAt, updatedAt };
}
