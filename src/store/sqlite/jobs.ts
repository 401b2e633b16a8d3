import type { FileReport, Job, JobFile, Reject } from "#domain/job.ts";
import type { Checkpoint, Jobs } from "../store.ts";
import type { Database } from "./database.ts";

interface JobRow {
  id: string;
  fingerprint: string;
  origin: Job["origin"];
  label: string;
  state: Job["state"];
  created_at: number;
  updated_at: number;
  owner: string;
}

interface FileRow {
  job_id: string;
  name: string;
  stamp: string;
  state: JobFile["state"];
  position: number;
  report: string;
}

export function createJobs(db: Database): Jobs {
  return {
    async putJob(job) {
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
    },
    async getJob(id) {
      const row = db.get<JobRow>("SELECT * FROM jobs WHERE id = ?", id);
      return row === undefined ? null : jobOf(row);
    },
    async findUnfinishedJob(fingerprint) {
      const row = db.get<JobRow>(
        "SELECT * FROM jobs WHERE fingerprint = ? AND state = 'running' ORDER BY created_at DESC LIMIT 1",
        fingerprint,
      );
      return row === undefined ? null : jobOf(row);
    },
    async listJobs(limit) {
      return db.all<JobRow>("SELECT * FROM jobs ORDER BY created_at DESC, id LIMIT ?", limit).map(jobOf);
    },
    async putJobFile(file) {
      putFile(db, file);
    },
    async listJobFiles(jobId) {
      return db.all<FileRow>("SELECT * FROM job_files WHERE job_id = ? ORDER BY number", jobId).map((row) => ({
        jobId: row.job_id,
        name: row.name,
        stamp: row.stamp,
        state: row.state,
        position: row.position,
        report: JSON.parse(row.report) as FileReport,
      }));
    },
    async listRejects(jobId, after, limit) {
      return db
        .all<Reject>(
          "SELECT file, line, reason FROM job_rejects WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?",
          jobId,
          after,
          limit,
        )
        .map(({ file, line, reason }) => ({ file, line, reason }));
    },
  };
}

/** Within the transaction of the records that it speaks of. */
export function putCheckpoint(db: Database, { file, rejects, restarted }: Checkpoint): void {
  putFile(db, file);
  // A sign of life: others take over a job that has had none for a while.
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

function putFile(db: Database, file: JobFile): void {
  db.run(
    `INSERT INTO job_files (job_id, number, name, stamp, state, position, report)
     VALUES (?, (SELECT count(*) FROM job_files WHERE job_id = ?), ?, ?, ?, ?, ?)
     ON CONFLICT (job_id, name) DO UPDATE SET stamp = excluded.stamp, state = excluded.state, position = excluded.position, report = excluded.report`,
    file.jobId,
    file.jobId,
    file.name,
    file.stamp,
    file.state,
    file.position,
    JSON.stringify(file.report),
  );
}

function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    origin: row.origin,
    label: row.label,
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    owner: row.owner,
  };
}
