/** Begins an import, or finds the one that is under way or was cut off, and joins in. */
import { createHash, randomUUID } from "node:crypto";
import type { Job, JobFile } from "#domain/job.ts";
import { toIsoDate } from "#domain/time.ts";
import type { Jobs } from "#store/store.ts";

export interface JobRequest {
  origin: Job["origin"];
  label: string;
  /** What makes two requests the same; null when it cannot be asked for again, as with standard input. */
  identity: unknown;
  /** Of a job that was made beforehand. */
  id?: string | undefined;
}

export interface OpenJob {
  job: Job;
  /** Files that were dealt with before. */
  files: JobFile[];
}

export async function openJob(jobs: Jobs, request: JobRequest, owner: string, now: number): Promise<OpenJob> {
  const job = await findOrBegin(jobs, request, owner, now);
  return { job, files: await jobs.listJobFiles(job.id) };
}

async function findOrBegin(jobs: Jobs, request: JobRequest, owner: string, now: number): Promise<Job> {
  if (request.id !== undefined) {
    // Also when it is done: then it has nothing to read any more, and nothing is to be begun in its place.
    const made = await jobs.getJob(request.id);
    if (made !== null) return made;
  }
  return jobs.startJob({
    id: request.id ?? `${toIsoDate(now)}-${randomUUID().slice(0, 8)}`,
    fingerprint: request.id ?? (request.identity === null ? randomUUID() : digest([request.origin, request.identity])),
    origin: request.origin,
    label: request.label,
    state: "running",
    createdAt: now,
    updatedAt: now,
    owner,
  });
}

export function digest(identity: unknown): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}
