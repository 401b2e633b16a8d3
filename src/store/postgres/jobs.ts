/** Import jobs: their files, checkpoints and rejects. */
import type { FileReport, Job, JobFile, NumberedReject } from "#domain/job.ts";
import type { Jobs } from "../jobs.ts";
import type { Checkpoint } from "../writer.ts";
import { lockInTransaction } from "./advisory-locks.ts";
import { analyzeTables } from "./analyze.ts";
import { closeJob, createClaims, renewClaim } from "./claims.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

const JOB = `id, fingerprint, origin, label, state, created_at AS "createdAt", updated_at AS "updatedAt", owner`;

type FileRow = Omit<JobFile, "report"> & { report: string };

export function createJobs(db: Database): Jobs {
  return {
    ...createClaims(db),
    writeJob: (job) => writeJob(db, job),
    async finishJob(id, now) {
      const closed = await closeJob(db, id, now);
      if (closed) await analyzeTables(db);
      return closed;
    },
    async getJob(id) {
      return (await db.get<Job>(`SELECT ${JOB} FROM jobs WHERE id = $1`, id)) ?? null;
    },
    startJob(job) {
      return db.transaction(async (sql) => {
        // Of two processes that start the same job concurrently, the second must see the first.
        await lockInTransaction(sql, "jobStart");
        const unfinished = await sql.get<Job>(
          `UPDATE jobs SET owner = $2, updated_at = greatest(updated_at, $3)
           WHERE id = (SELECT id FROM jobs WHERE fingerprint = $1 AND state = 'running' ORDER BY created_at DESC LIMIT 1)
           RETURNING ${JOB}`,
          job.fingerprint,
          job.owner,
          job.updatedAt,
        );
        if (unfinished === undefined) await writeJob(sql, job);
        return unfinished ?? job;
      });
    },
    listJobs: (limit) => db.all<Job>(`SELECT ${JOB} FROM jobs ORDER BY created_at DESC, id LIMIT $1`, limit),
    writeJobFile: (file) => writeFile(db, file),
    async listJobFiles(jobId) {
      const rows = await db.all<FileRow>(
        `SELECT job_id AS "jobId", name, fingerprint, state, position, report FROM job_files
         WHERE job_id = $1 ORDER BY number, name`,
        jobId,
      );
      return rows.map((row) => ({ ...row, report: JSON.parse(row.report) as FileReport }));
    },
    listRejects: (jobId, after, limit) =>
      db.all<NumberedReject>(
        "SELECT number, file, line, reason FROM job_rejects WHERE job_id = $1 AND number > $2 ORDER BY number LIMIT $3",
        jobId,
        after,
        limit,
      ),
  };
}

async function writeJob(sql: Sql, job: Job): Promise<void> {
  const { id, fingerprint, origin, label, state, createdAt, updatedAt, owner } = job;
  await sql.run(
    `INSERT INTO jobs (id, fingerprint, origin, label, state, created_at, updated_at, owner)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at, owner = excluded.owner`,
    id,
    fingerprint,
    origin,
    label,
    state,
    createdAt,
    updatedAt,
    owner,
  );
}

/** Written in the same transaction as the records it covers. */
export async function writeCheckpoint(sql: Sql, { file, rejects, restarted, claim }: Checkpoint): Promise<void> {
  if (claim !== undefined) await renewClaim(sql, claim);
  await writeFile(sql, file);
  await sql.run("UPDATE jobs SET updated_at = greatest(updated_at, $1) WHERE id = $2", Date.now(), file.jobId);
  if (restarted) await sql.run("DELETE FROM job_rejects WHERE job_id = $1 AND file = $2", file.jobId, file.name);
  if (rejects.length === 0) return;
  await sql.run(
    `INSERT INTO job_rejects (job_id, number, file, line, reason)
     SELECT $1, last + number, file, line, reason
     FROM (SELECT coalesce(max(number), 0) AS last FROM job_rejects WHERE job_id = $1) stored,
       unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS added (file, line, reason, number)`,
    file.jobId,
    rejects.map((reject) => reject.file),
    rejects.map((reject) => reject.line),
    rejects.map((reject) => reject.reason),
  );
}

async function writeFile(sql: Sql, { jobId, name, fingerprint, state, position, report }: JobFile): Promise<void> {
  await sql.run(
    `INSERT INTO job_files (job_id, number, name, fingerprint, state, position, report)
     VALUES ($1, (SELECT count(*) FROM job_files WHERE job_id = $1), $2, $3, $4, $5, $6)
     ON CONFLICT (job_id, name) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state,
       position = excluded.position, report = excluded.report`,
    jobId,
    name,
    fingerprint,
    state,
    position,
    JSON.stringify(report),
  );
}
