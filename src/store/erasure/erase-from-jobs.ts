/** Erases from the history of imports, whose file names may be those of a person or of a post. */
import { eraseFileName, scrubLabel, scrubReason } from "./import-history.ts";
import type { PlatformName } from "#domain/record.ts";
import { isNamedIn, listPossibleIds, type Needles } from "./person.ts";
import { ERASED_TEXT } from "./scrub.ts";
import type { ErasureResult } from "#store/write/port.ts";
import { filterErased } from "./statements.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";

interface FileRow {
  job_id: string;
  number: number;
  name: string;
}

/** Ids of posts that were erased before: an import may have written the names of its files since. */
export function* findErasedPosts(sql: SqlSteps, platform: PlatformName): Steps<string[]> {
  const rows = yield* sql.all<{ text: string }>(
    `SELECT name AS text FROM job_files UNION ALL SELECT label FROM jobs
      UNION ALL SELECT reason FROM job_rejects UNION ALL SELECT path FROM job_claims WHERE state = 'done'`,
  );
  const ids = new Set<string>();
  for (const { text } of rows) for (const id of listPossibleIds(text)) ids.add(id);
  return yield* filterErased(sql, platform, "post", ids);
}

/** Names of `erasedPostIds` go too, but are not counted: they may be of somebody else who was erased. */
export function* eraseFromJobs(
  sql: SqlSteps,
  needles: Needles,
  erasedPostIds: readonly string[],
  result: Pick<ErasureResult, "counts" | "jobs">,
): Steps<void> {
  const earlier: Needles = { ids: new Set(erasedPostIds), names: [] };
  const isTheirs = (text: string) => isNamedIn(text, needles);
  const isNamed = (text: string) => isTheirs(text) || isNamedIn(text, earlier);
  const jobs = new Set<string>();
  const files = yield* sql.all<FileRow>("SELECT job_id, number, name FROM job_files");
  for (const { job_id, number, name } of files) {
    if (!isNamed(name)) continue;
    const replacement = eraseFileName(number);
    yield* sql.run("UPDATE job_files SET name = $1 WHERE job_id = $2 AND name = $3", replacement, job_id, name);
    yield* sql.run("UPDATE job_rejects SET file = $1 WHERE job_id = $2 AND file = $3", replacement, job_id, name);
    if (isTheirs(name)) result.counts.file++;
    jobs.add(job_id);
  }
  for (const { id, label } of yield* sql.all<{ id: string; label: string }>("SELECT id, label FROM jobs")) {
    if (!isNamed(label)) continue;
    yield* sql.run("UPDATE jobs SET label = $1 WHERE id = $2", scrubLabel(label, isNamed), id);
    jobs.add(id);
  }
  const rejects = yield* sql.all<{ job_id: string; number: number; file: string; reason: string }>(
    "SELECT job_id, number, file, reason FROM job_rejects",
  );
  for (const { job_id, number, file, reason } of rejects) {
    if (!isNamed(file) && !isNamed(reason)) continue;
    yield* sql.run(
      "UPDATE job_rejects SET file = $1, reason = $2 WHERE job_id = $3 AND number = $4",
      isNamed(file) ? ERASED_TEXT : file,
      scrubReason(reason, isNamed),
      job_id,
      number,
    );
    jobs.add(job_id);
  }
  const claims = yield* sql.all<{ claim_group: string; path: string; name: string }>(
    "SELECT claim_group, path, name FROM job_claims WHERE state = 'done'",
  );
  for (const { claim_group, path, name } of claims) {
    if (!isNamed(path) && !isNamed(name)) continue;
    yield* sql.run("DELETE FROM job_claims WHERE claim_group = $1 AND path = $2", claim_group, path);
  }
  for (const job of jobs) result.jobs.push(job);
}
