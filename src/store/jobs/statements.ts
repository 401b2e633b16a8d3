/** Import jobs: their files, checkpoints and rejects. */
import { type Job, type JobFile, type ListedJob, NO_JOBS, shownState } from "#domain/job.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { Jobs } from "./port.ts";
import type { Checkpoint } from "#store/write/port.ts";
import { createClaims, renewClaim } from "./claims.ts";
import type { Dialect } from "#store/sql/dialect.ts";
import type { Sql, SqlDatabase, SqlSteps, Steps, Value } from "#store/sql/sql.ts";
import { aliases, select, selectAs } from "#store/sql/select.ts";
import { JOB_FILES, JOB_REJECTS, JOBS } from "./tables.ts";

const JOB = {
  id: "id",
  fingerprint: "fingerprint",
  origin: "origin",
  label: "label",
  state: "state",
  createdAt: "created_at",
  updatedAt: "updated_at",
  owner: "owner",
} as const;

const FILE = {
  jobId: "job_id",
  name: "name",
  fingerprint: "fingerprint",
  state: "state",
  position: "position",
  report: "report",
} as const;

/** SQLite has no booleans. */
type ListedRow = Job & { isLive: boolean | number };

/** Claims use `claimsSql`, whose writes a power cut may undo: it ends their owners too. */
export function createJobs({ sql: db, transaction }: SqlDatabase, dialect: Dialect, claimsSql: Sql = db): Jobs {
  const isLive = `EXISTS (SELECT 1 FROM job_claims
    WHERE job_id = jobs.id AND state = 'running' AND lease_until > ${dialect.now})`;
  const listed = `SELECT ${aliases(JOB)}, ${isLive} AS "isLive" FROM jobs`;
  const toListed = (job: ListedRow): ListedJob => ({ ...job, isLive: Boolean(job.isLive) });
  return {
    ...createClaims(claimsSql, dialect),
    async writeJob(job) {
      await writeJob(db, job);
    },
    async getJob(id) {
      const job = await db.get<ListedRow>(`${listed} WHERE id = $1`, id);
      return job === undefined ? null : toListed(job);
    },
    async findJob(fingerprint, createdSince) {
      const job = await db.get(
        selectAs(
          JOBS,
          JOB,
          `WHERE created_at >= $2 AND fingerprint = $1 AND state IN ('running', 'done')
           ORDER BY created_at DESC, id LIMIT 1`,
        ),
        fingerprint,
        createdSince,
      );
      return job === undefined ? null : { ...job };
    },
    async startJob(job) {
      return transaction(function* (sql) {
        // Of two processes that start the same job concurrently, the second must see the first.
        if (dialect.locks !== null) yield* sql.get(dialect.locks.jobStart);
        const unfinished = yield* sql.get<Job>(
          `UPDATE jobs SET owner = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
           WHERE id = (SELECT id FROM jobs WHERE fingerprint = $1 AND state = 'running' ORDER BY created_at DESC LIMIT 1)
           RETURNING ${aliases(JOB)}`,
          job.fingerprint,
          job.owner,
          job.updatedAt,
        );
        if (unfinished === undefined) yield* writeJob(sql, job);
        return { ...(unfinished ?? job) };
      });
    },
    async finishJob(id, now) {
      return transaction(function* (sql) {
        yield* sql.run(
          `UPDATE jobs SET state = 'done', updated_at = CASE WHEN updated_at > $2 THEN updated_at ELSE $2 END
           WHERE id = $1 AND state = 'running' AND NOT EXISTS (SELECT 1 FROM job_claims
             WHERE (claim_group = $1 OR job_id = $1) AND state = 'running' AND path <> owner AND lease_until > ${dialect.now})`,
          id,
          now,
        );
        const job = yield* sql.get("SELECT 1 FROM jobs WHERE id = $1 AND state = 'done'", id);
        // Files that were read stay claimed in the group of a watched folder.
        if (job !== undefined)
          yield* sql.run("DELETE FROM job_claims WHERE claim_group = $1 OR (job_id = $1 AND state = 'running')", id);
        return job !== undefined;
      });
    },
    async dismissJob(id, now) {
      // An upload waits for its turn: the queue would import it all the same.
      const dismissed = await db.run(
        `UPDATE jobs SET state = 'dismissed', updated_at = $2
         WHERE id = $1 AND state = 'running' AND origin = 'command' AND NOT ${isLive}`,
        id,
        now,
      );
      return dismissed > 0;
    },
    async canUndo(id) {
      return (await db.get("SELECT 1 FROM job_records WHERE job_id = $1 LIMIT 1", id)) !== undefined;
    },
    async forgetUndo(endedBefore) {
      await db.run(
        `DELETE FROM job_records WHERE job_id IN (SELECT id FROM jobs WHERE state <> 'running' AND updated_at < $1)`,
        endedBefore,
      );
    },
    async listJobs(limit, before) {
      const last = before === undefined ? null : await db.get(selectAs(JOBS, JOB, "WHERE id = $1"), before);
      if (last === undefined) return [];
      const isAfter = last === null ? "" : "WHERE created_at <= $2 AND (created_at < $2 OR id > $3)";
      const jobs = await db.all<ListedRow>(
        `${listed} ${isAfter} ORDER BY created_at DESC, id LIMIT $1`,
        limit,
        ...(last === null ? [] : [last.createdAt, last.id]),
      );
      return jobs.map(toListed);
    },
    async countJobs() {
      const rows = await db.all<Pick<ListedJob, "state" | "origin" | "isLive"> & { jobs: number }>(
        `SELECT state, origin, "isLive", count(*) AS jobs
         FROM (SELECT state, origin, state = 'running' AND ${isLive} AS "isLive" FROM jobs) AS job
         GROUP BY state, origin, "isLive"`,
      );
      const counts = { ...NO_JOBS };
      for (const row of rows) counts[shownState(row)] += row.jobs;
      return counts;
    },
    async writeJobFile(file, rejects = []) {
      await transaction((sql) => writeCheckpoint(sql, dialect, { file, rejects, restarted: true }));
    },
    async listJobFiles(jobId) {
      const rows = await db.all(selectAs(JOB_FILES, FILE, "WHERE job_id = $1 ORDER BY number, name"), jobId);
      return rows.map((row) => ({ ...row, report: parseJsonText(row.report) }));
    },
    async listJobFilePage(jobId, from, limit) {
      const rows = await db.all(
        selectAs(
          JOB_FILES,
          { ...FILE, number: "number" },
          "WHERE job_id = $1 AND number >= $2 ORDER BY number LIMIT $3",
        ),
        jobId,
        from,
        limit,
      );
      return rows.map((row) => ({ ...row, report: parseJsonText(row.report) }));
    },
    async listRejects(jobId, after, limit) {
      const rejects = await db.all(
        select(
          JOB_REJECTS,
          ["number", "file", "line", "reason"],
          "WHERE job_id = $1 AND number > $2 ORDER BY number LIMIT $3",
        ),
        jobId,
        after,
        limit,
      );
      return rejects.map((reject) => ({ ...reject }));
    },
  };
}

/** Written in the same transaction as the records it covers. */
export function* writeCheckpoint(sql: SqlSteps, dialect: Dialect, checkpoint: Checkpoint): Steps<void> {
  const { file, rejects, restarted, claim } = checkpoint;
  const { jobId: job_id } = file;
  if (claim !== undefined) yield* renewClaim(sql, dialect, claim);
  // Locks the job until the commit: importers that share it number its files and rejects one after the other.
  yield* sql.run(
    "UPDATE jobs SET updated_at = CASE WHEN updated_at > $1 THEN updated_at ELSE $1 END WHERE id = $2",
    Date.now(),
    job_id,
  );
  yield* writeFile(sql, file);
  if (restarted) yield* sql.run("DELETE FROM job_rejects WHERE job_id = $1 AND file = $2", job_id, file.name);
  if (rejects.length === 0) return;
  const last = yield* sql.get<{ number: number | null }>(
    "SELECT max(number) AS number FROM job_rejects WHERE job_id = $1",
    job_id,
  );
  const next = (last?.number ?? 0) + 1;
  yield* sql.upsert(
    JOB_REJECTS,
    rejects.map((reject, index) => ({ ...reject, job_id, number: next + index })),
  );
}

/** Runs a statement now, or as a step. */
interface Runner<Ran> {
  run(text: string, ...values: Value[]): Ran;
}

function writeJob<Ran>(sql: Runner<Ran>, job: Job): Ran {
  const { id, fingerprint, origin, label, state, createdAt, updatedAt, owner } = job;
  return sql.run(
    `INSERT INTO jobs (id, fingerprint, origin, label, state, created_at, updated_at, owner)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, created_at = excluded.created_at,
       updated_at = excluded.updated_at, owner = excluded.owner`,
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

function writeFile<Ran>(sql: Runner<Ran>, { jobId, name, fingerprint, state, position, report }: JobFile): Ran {
  return sql.run(
    `INSERT INTO job_files (job_id, number, name, fingerprint, state, position, report)
     VALUES ($1, (SELECT coalesce(max(number) + 1, 0) FROM job_files WHERE job_id = $1), $2, $3, $4, $5, $6)
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
