/** Starts an import job, or finds the same one running or interrupted. */
import { createHash, randomUUID } from "node:crypto";
import type { Job, JobFile } from "#domain/job.ts";
import { toIsoDate } from "#domain/time.ts";
import type { Jobs } from "#store/jobs/port.ts";

export interface JobRequest {
  origin: Job["origin"];
  label: string;
  /** Requests with the same identity share a job; null if the request cannot be repeated, as with standard input. */
  identity: unknown;
  /** Of a job that was created beforehand. */
  id?: string | undefined;
}

export interface OpenJob {
  job: Job;
  /** Progress of earlier runs. */
  files: JobFile[];
}

export async function openJob(jobs: Jobs, request: JobRequest, owner: string, now: number): Promise<OpenJob> {
  const job = await findOrStart(jobs, request, owner, now);
  return { job, files: await jobs.listJobFiles(job.id) };
}

async function findOrStart(jobs: Jobs, request: JobRequest, owner: string, now: number): Promise<Job> {
  if (request.id !== undefined) {
    // Also when it is done: it must not be started a second time.
    const existing = await jobs.getJob(request.id);
    if (existing !== null) return existing;
  }
  return jobs.startJob({
    id: request.id ?? `${toIsoDate(now)}-${randomUUID().slice(0, 8)}`,
    fingerprint:
      request.id ?? (request.identity === null ? randomUUID() : hashIdentity([request.origin, request.identity])),
    origin: request.origin,
    label: request.label,
    state: "running",
    createdAt: now,
    updatedAt: now,
    owner,
  });
}

export function hashIdentity(identity: unknown): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}
