import type { FileReport, Job, JobFile, NumberedReject } from "#domain/job.ts";
import type { Checkpoint, Jobs } from "../store.ts";
import { createClaims, dropClaims, renewClaim, isBeingRead } from "./claims.ts";
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
    ...createClaims(db),
    async writeJob(job) {
      putJob(db, job);
    },
    async getJob(id) {
      const row = db.get<JobRow>("SELECT * FROM jobs WHERE id = ?", id);
      return row === undefined ? null : jobOf(row);
    },
    async startJob(job) {
      return db.transaction(() => {
        const row = db.get<JobRow>(
          "SELECT * FROM jobs WHERE fingerprint = ? AND state = 'running' ORDER BY created_at DESC LIMIT 1",
          job.fingerprint,
        );
        const begun = row === undefined ? job : { ...jobOf(row), owner: job.owner, updatedAt: job.updatedAt };
        putJob(db, begun);
        return begun;
      });
    },
    async finishJob(id, now) {
      return db.transaction(() => {
        if (isBeingRead(db, id)) return false;
        db.run("UPDATE jobs SET state = 'done', updated_at = max(updated_at, ?) WHERE id = ?", now, id);
        dropClaims(db, id);
        return true;
      });
    },
    async listJobs(limit) {
      return db.all<JobRow>("SELECT * FROM jobs ORDER BY created_at DESC, id LIMIT ?", limit).map(jobOf);
    },
    async writeJobFile(file) {
      putFile(db, file);
    },
    async listJobFiles(jobId) {
      return db.all<FileRow>("SELECT * FROM job_files WHERE job_id = ? ORDER BY number", jobId).map((row) => ({
        jobId: row.job_id,
        name: row.name,
        fingerprint: row.stamp,
        state: row.state,
        position: row.position,
        report: JSON.parse(row.report) as FileReport,
      }));
    },
    async listRejects(jobId, after, limit) {
      return db
        .all<NumberedReject>(
          "SELECT number, file, line, reason FROM job_rejects WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?",
          jobId,
          after,
          limit,
        )
        .map(({ number, file, line, reason }) => ({ number, file, line, reason }));
    },
  };
}

function putJob(db: Database, job: Job): void {
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

/** Within the transaction of the records that it speaks of. */
export function putCheckpoint(db: Database, { file, rejects, restarted, claim }: Checkpoint): void {
  if (claim !== undefined) renewClaim(db, claim);
  putFile(db, file);
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
    file.fingerprint,
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
