/** Begins an import, or finds the one that was cut off and goes on with it. */
import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Job, JobFile } from "#domain/job.ts";
import type { Jobs } from "#store/store.ts";

export interface JobRequest {
  origin: Job["origin"];
  label: string;
  /** What makes two requests the same; null when it cannot be asked for again, as with standard input. */
  identity: unknown;
  /** Of a job that exists already. */
  fingerprint?: string | undefined;
}

/** Another process works on the same request. */
export class JobBusy extends Error {
  override name = "JobBusy";
}

export interface OpenJob {
  job: Job;
  /** Files dealt with before the interruption, by name. */
  files: Map<string, JobFile>;
}

export async function openJob(jobs: Jobs, request: JobRequest, now: number): Promise<OpenJob> {
  const fingerprint =
    request.fingerprint ?? (request.identity === null ? randomUUID() : digest([request.origin, request.identity]));
  const owner = `${hostname()}:${process.pid}`;
  const unfinished = await jobs.findUnfinishedJob(fingerprint);
  if (unfinished !== null) {
    if (isAtWork(unfinished, now))
      throw new JobBusy(`process ${unfinished.owner} is importing the same already (job ${unfinished.id})`);
    const job = { ...unfinished, owner, updatedAt: now };
    await jobs.putJob(job);
    return { job, files: new Map((await jobs.listJobFiles(job.id)).map((file) => [file.name, file])) };
  }
  const job: Job = {
    id: `${new Date(now).toISOString().slice(0, 10)}-${randomUUID().slice(0, 8)}`,
    fingerprint,
    origin: request.origin,
    label: request.label,
    state: "running",
    createdAt: now,
    updatedAt: now,
    owner,
  };
  await jobs.putJob(job);
  return { job, files: new Map() };
}

function digest(identity: unknown): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex");
}

/** Every batch is a sign of life; none takes this long. */
const SILENCE_MS = 300_000;

/** A process of this machine can be asked; one of another machine is believed as long as it gives signs of life. */
function isAtWork({ owner, updatedAt }: Job, now: number): boolean {
  if (now - updatedAt > SILENCE_MS) return false;
  const separator = owner.lastIndexOf(":");
  const pid = Number(owner.slice(separator + 1));
  if (owner.slice(0, separator) !== hostname()) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
