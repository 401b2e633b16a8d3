/**
 * Imports files: what is read is kept, batch by batch. Records and the position in the file are committed together, so
 * an import that is killed at any moment goes on where it was, loses nothing and doubles nothing.
 */
import { join, resolve } from "node:path";
import type { Job, JobFile } from "#domain/job.ts";
import { dryRunClaims, JobClaims, LEASE_MS } from "./claims.ts";
import { digest, openJob } from "./jobs.ts";
import { BatchWriter, type BatchWriterStore } from "./batch-writer.ts";
import { newProcessId } from "./process-identity.ts";
import type { ClaimSource, ReadFiles } from "./read-files.ts";
import { writeRejects } from "./rejects-file.ts";
import { countRecords, type ImportReport, totalOf } from "./report.ts";

export interface ImportServices {
  store: BatchWriterStore;
  read: ReadFiles;
  dataDir: string;
  /** How long a claim on a file outlives the last sign of life of its process. */
  leaseMs?: number;
  /** Who claims files; by default this process of this machine. */
  owner?: string;
}

export interface ImportRequest {
  paths: string[];
  origin: Job["origin"];
  /** Reads and reports; keeps nothing. */
  dryRun?: boolean;
  /** Whose followers a list holds that does not say so. */
  of?: string | null;
  /** Unix milliseconds; for captures that carry no time of their own. */
  capturedAt?: number | null;
  /** The job that was made for these files when they were uploaded. */
  jobKey?: string;
  /** The watched folder that these files arrived in: what any watcher of it has read is not read again. */
  watched?: string;
  /** False: what other processes are reading is left to them, and the report names it. */
  wait?: boolean;
}

export interface Progress {
  file: string;
  bytesRead: number;
  bytesTotal: number | null;
  /** Records dealt with in all files so far. */
  records: number;
}

export interface ImportEvents {
  progress?(progress: Progress): void;
  fileDone?(file: JobFile): void;
  /** All that is left is being read by other processes; told again and again. */
  waiting?(files: string[]): void;
}

const ASK_AGAIN_MS = 1_000;

export async function importFiles(
  services: ImportServices,
  request: ImportRequest,
  events: ImportEvents = {},
): Promise<ImportReport> {
  if (request.dryRun === true) return rehearse(services, request, events);
  const { store, dataDir, leaseMs = LEASE_MS, owner = newProcessId() } = services;
  const { job, files: before } = await openJob(store.jobs, jobRequest(request), owner, Date.now());
  const terms = { jobId: job.id, scope: scopeOf(job, request), owner, leaseMs };
  const claims = new JobClaims(store.jobs, terms, before, (files) => events.waiting?.(files));
  const keeper = new BatchWriter(store, job.id, claims);
  const wait = request.wait !== false;
  const askAgainMs = wait ? Math.min(ASK_AGAIN_MS, leaseMs / 4) : null;
  const letGo = claims.keepAlive();
  try {
    await readAndKeep(services, request, { claims, keeper, askAgainMs }, events);
    // Once more where the last batch of a file was lost: its reader had gone on by then.
    if (wait) {
      while (claims.elsewhere().length > 0) {
        await readAndKeep(services, request, { claims, keeper, askAgainMs }, events);
      }
    }
  } catch (error) {
    await claims.release().catch(() => undefined);
    throw error;
  } finally {
    letGo();
  }
  const files = await store.jobs.listJobFiles(job.id);
  const rejects = await writeRejects(store.jobs, job.id, dataDir);
  await store.jobs.finishJob(job.id, Date.now());
  return reportOf(job.id, files, keeper, { rejects, elsewhere: claims.elsewhere() });
}

async function rehearse(services: ImportServices, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  const id = "dry run";
  const keeper = new BatchWriter(services.store, id, null);
  await readAndKeep(services, request, { claims: dryRunClaims(), keeper, askAgainMs: null }, events);
  return reportOf(id, keeper.files(), keeper, { rejects: null, elsewhere: [] });
}

interface Work {
  claims: ClaimSource & Partial<Pick<JobClaims, "end">>;
  keeper: BatchWriter;
  askAgainMs: number | null;
}

async function readAndKeep(
  { store, read, dataDir }: ImportServices,
  request: ImportRequest,
  { claims, keeper, askAgainMs }: Work,
  events: ImportEvents,
): Promise<void> {
  const steps = read({
    paths: request.paths,
    of: request.of ?? null,
    capturedAt: request.capturedAt ?? null,
    spoolFolder: join(dataDir, "spool"),
    passRepeats: !(await store.hasErased()),
    askAgainMs,
    claims,
  });
  for await (const step of steps) {
    if ("ended" in step) {
      await claims.end?.(step.claim);
      continue;
    }
    const file = await keeper.write(step);
    if (file === null) continue;
    events.progress?.({ ...step.progress, records: keeper.records });
    if (file.state === "done") events.fileDone?.(file);
  }
}

function reportOf(
  job: string,
  files: readonly JobFile[],
  keeper: BatchWriter,
  rest: Pick<ImportReport, "rejects" | "elsewhere">,
): ImportReport {
  return {
    job,
    files: files.map(({ name, report }) => ({ name, ...report })),
    total: totalOf(files.map(({ report }) => report)),
    own: { files: keeper.files().map(({ name }) => name), ...keeper.did },
    ...rest,
  };
}

/** Watchers of one folder have jobs of their own, since files arrive at different moments for each. */
function scopeOf(job: Job, { watched, of = null, capturedAt = null }: ImportRequest): string {
  return watched === undefined ? job.id : `watch ${digest([resolve(watched), of, capturedAt])}`;
}

function jobRequest({ paths, origin, of = null, capturedAt = null, jobKey }: ImportRequest) {
  return {
    origin,
    label: paths.join(" "),
    id: jobKey,
    identity: paths.includes("-") ? null : [paths.map((path) => resolve(path)), of, capturedAt],
  };
}

/** 0 all was read, 1 something was refused or not recognised, 2 nothing could be done. */
export function exitCodeOf(report: ImportReport): 0 | 1 | 2 {
  const refused = Object.keys(report.total.refused).length > 0;
  if (!refused) return 0;
  return countRecords(report.total) === 0 ? 2 : 1;
}
