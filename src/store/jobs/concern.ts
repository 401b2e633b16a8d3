import type { Concern } from "#store/write/concern.ts";

export const jobs: Concern = {
  /** Names of files may be those of a person or of a post. Names of what was erased before go too, uncounted. */
  *scrub({ sql }, { history }, result) {
    if (history === null) return;
    const { isNamed, isTheirs } = history;
    const changed = new Set<string>();
    const files = yield* sql.all<{ job_id: string; number: number; name: string }>(
      "SELECT job_id, number, name FROM job_files",
    );
    for (const { job_id, number, name } of files) {
      if (!isNamed(name)) continue;
      const replacement = history.fileName(number);
      yield* sql.run("UPDATE job_files SET name = $1 WHERE job_id = $2 AND name = $3", replacement, job_id, name);
      yield* sql.run("UPDATE job_rejects SET file = $1 WHERE job_id = $2 AND file = $3", replacement, job_id, name);
      if (isTheirs(name)) result.counts.file++;
      changed.add(job_id);
    }
    for (const { id, label } of yield* sql.all<{ id: string; label: string }>("SELECT id, label FROM jobs")) {
      if (!isNamed(label)) continue;
      yield* sql.run("UPDATE jobs SET label = $1 WHERE id = $2", history.label(label), id);
      changed.add(id);
    }
    const rejects = yield* sql.all<{ job_id: string; number: number; file: string; reason: string }>(
      "SELECT job_id, number, file, reason FROM job_rejects",
    );
    for (const { job_id, number, file, reason } of rejects) {
      if (!isNamed(file) && !isNamed(reason)) continue;
      yield* sql.run(
        "UPDATE job_rejects SET file = $1, reason = $2 WHERE job_id = $3 AND number = $4",
        isNamed(file) ? history.erasedText : file,
        history.reason(reason),
        job_id,
        number,
      );
      changed.add(job_id);
    }
    const claims = yield* sql.all<{ claim_group: string; path: string; name: string }>(
      "SELECT claim_group, path, name FROM job_claims WHERE state = 'done'",
    );
    for (const { claim_group, path, name } of claims) {
      if (!isNamed(path) && !isNamed(name)) continue;
      yield* sql.run("DELETE FROM job_claims WHERE claim_group = $1 AND path = $2", claim_group, path);
    }
    result.jobs.push(...changed);
  },
};
