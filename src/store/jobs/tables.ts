import type { FileReport, Job, JobFile } from "#domain/job.ts";
import type { JsonText } from "#domain/json-text.ts";
import { bigint, defineTable, nullable, oneOf, opaque, references, text } from "#store/sql/table.ts";

/** PostgreSQL sorts by its id what SQLite's index of a table without rowids ends with anyway. */
export const JOBS = defineTable("jobs", {
  columns: {
    id: text,
    fingerprint: text,
    origin: oneOf<Job["origin"]>(opaque),
    label: opaque,
    state: oneOf<Job["state"]>(),
    created_at: bigint,
    updated_at: bigint,
    owner: opaque,
  },
  key: ["id"],
  indexes: {
    newest: { sqlite: "(created_at DESC)", postgres: "(created_at DESC, id)" },
    unfinished: "(fingerprint) WHERE state = 'running'",
  },
});

const JOB_ID = references(text, "jobs (id) ON DELETE CASCADE");

export const JOB_FILES = defineTable("job_files", {
  columns: {
    job_id: JOB_ID,
    name: text,
    number: bigint,
    fingerprint: opaque,
    state: oneOf<JobFile["state"]>(opaque),
    position: bigint,
    report: oneOf<JsonText<FileReport>>(opaque),
  },
  key: ["job_id", "name"],
  // An archive may have 100,000 files: the number of the next one is the last entry.
  indexes: { by_number: "(job_id, number)" },
  sqlite: { hasRowid: true },
});

export const JOB_REJECTS = defineTable("job_rejects", {
  columns: { job_id: JOB_ID, number: bigint, file: text, line: nullable(bigint), reason: opaque },
  key: ["job_id", "number"],
});

/**
 * Which importer reads which file. `claim_group` is a job id, or a key shared by all jobs that watch one folder, so `job_id`
 * says which of them reads it.
 */
export const JOB_CLAIMS = defineTable("job_claims", {
  columns: {
    claim_group: text,
    path: text,
    name: opaque,
    fingerprint: opaque,
    state: oneOf<"running" | "done">(opaque),
    owner: text,
    lease_until: bigint,
    job_id: text,
  },
  key: ["claim_group", "path"],
  indexes: { by_job: "(job_id) WHERE state = 'running'" },
  postgres: { fillfactor: 70 },
});
