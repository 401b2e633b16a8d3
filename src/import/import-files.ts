/**
 * Imports files, batch by batch. Records and the position in the file are committed together, so an import that is killed
 * at any moment resumes without losing or repeating anything.
 */
import { join, resolve } from "node:path";
import type { Job, JobFile } from "#domain/job.ts";
import { DAY_MS } from "#domain/time.ts";
import { BatchGroup } from "./batch-group.ts";
import { BatchWriter, type BatchWriterStore } from "./batch-writer.ts";
import { dryRunClaims, JobClaims, LEASE_MS } from "./claims.ts";
import { EMPTY_FILE } from "./containers/document.ts";
import { STANDARD_INPUT } from "./containers/standard-input.ts";
import { hashIdentity, openJob } from "./jobs.ts";
import type { TableMapping } from "./mapped-table.ts";
import { newProcessId } from "./process-identity.ts";
import type { ClaimSource, ReadBatch, ReadFiles } from "./read-files.ts";
import { writeRejects } from "./rejects-file.ts";
import { countRecords, type ImportReport, sumReports } from "./report.ts";

export interface ImportServices {
  store: BatchWriterStore;
  read: ReadFiles;
  dataDir: string;
  /** How long a claim on a file is valid after its last renewal. */
  leaseMs?: number;
  /** The owner of claims; by default this process. */
  owner?: string;
  /** Called with a function that gives up what the import has claimed, and lets it write nothing more. */
  onStart?: (stop: () => Promise<void>) => void;
  /** For how long imports can be undone; without it, forever. */
  undoDays?: number;
}

export interface ImportRequest {
  paths: string[];
  origin: Job["origin"];
  /** What is imported, for people; by default the paths. */
  label?: string;
  /** Reads and reports without writing anything. */
  dryRun?: boolean;
  /** What a list is about that does not say so itself (`--of`). */
  subject?: string | null;
  /** Names of subtitle files are ids of their videos (`--names-are-ids`). */
  namesAreIds?: boolean;
  /** Unix milliseconds, for captures without a time of their own. */
  capturedAt?: number | null;
  /** Reads all files as tables of this kind (`--as`, `--map`). */
  mapping?: TableMapping | null;
  /** The job that was created for these files when they were uploaded. */
  jobKey?: string;
  /** The watched folder that these files arrived in: files that any watcher of it has read are not read again. */
  watched?: string;
  /** If false, files that other processes are reading are left to them, and the report names them. */
  wait?: boolean;
}

export interface Progress {
  file: string;
  bytesRead: number;
  bytesTotal: number | null;
  /** Records of all files so far. */
  records: number;
}

export interface ImportEvents {
  progress?(progress: Progress): void;
  fileDone?(file: JobFile): void;
  /** Only files that other processes are reading are left. Called repeatedly. */
  waiting?(files: string[]): void;
  /** The database is down, and the import waits for it. Called once per outage. */
  outage?(): void;
}

const CLAIM_RETRY_MS = 1_000;

/** An import waits this long for a database that is down: a restart or a failover takes up to a minute. */
export const MAX_OUTAGE_S = 90;

export async function importFiles(
  services: ImportServices,
  request: ImportRequest,
  events: ImportEvents = {},
): Promise<ImportReport> {
  if (request.dryRun === true) return runDry(services, request, events);
  const { store, dataDir, leaseMs = LEASE_MS, owner = newProcessId() } = services;
  const { job, files: previous } = await openJob(store.jobs, toJobRequest(request), owner, Date.now());
  const options = { jobId: job.id, claimGroup: getClaimGroup(job, request), owner, leaseMs };
  const claims = new JobClaims(store.jobs, options, previous, (files) => events.waiting?.(files));
  const writer = new BatchWriter(store, job.id, claims);
  const isWaiting = request.wait !== false;
  const claimRetryMs = isWaiting ? Math.min(CLAIM_RETRY_MS, leaseMs / 4) : null;
  const stopRenewing = claims.startRenewing();
  const run: ImportRun = { claims, writer, claimRetryMs, isStopped: false, writing: Promise.resolve() };
  services.onStart?.(async () => {
    run.isStopped = true;
    stopRenewing();
    await run.writing.catch(() => undefined);
    await claims.release();
  });
  try {
    await claims.announce();
    for (;;) {
      await readAndWrite(services, request, run, events);
      if (!isWaiting || claims.claimedByOthers().length === 0) break;
      // The last batch of a file was lost after the reader had finished the file: read it again.
    }
    const files = await store.jobs.listJobFiles(job.id);
    const rejects = await writeRejects(store.jobs, job.id, dataDir);
    await store.jobs.finishJob(job.id, Date.now());
    if (services.undoDays !== undefined) await store.jobs.forgetUndo(Date.now() - services.undoDays * DAY_MS);
    return createReport(job.id, files, writer, { rejects, elsewhere: claims.claimedByOthers() });
  } finally {
    stopRenewing();
    await claims.release().catch(() => undefined);
  }
}

async function runDry(services: ImportServices, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  const id = "dry run";
  const writer = new BatchWriter(services.store, id, null, request.mapping?.kind);
  await readAndWrite(
    services,
    request,
    { claims: dryRunClaims(), writer, claimRetryMs: null, writing: Promise.resolve() },
    events,
  );
  const report = createReport(id, writer.files(), writer, { rejects: null, elsewhere: [] });
  return request.mapping == null ? report : { ...report, sample: writer.sample };
}

interface ImportRun {
  claims: ClaimSource & Partial<Pick<JobClaims, "finishClaim">>;
  writer: BatchWriter;
  claimRetryMs: number | null;
  isStopped?: boolean;
  /** The write under way. */
  writing: Promise<unknown>;
}

async function readAndWrite(
  { store, read, dataDir }: ImportServices,
  request: ImportRequest,
  run: ImportRun,
  events: ImportEvents,
): Promise<void> {
  const { claims, writer, claimRetryMs } = run;
  const steps = read({
    paths: request.paths,
    subject: request.subject ?? null,
    namesAreIds: request.namesAreIds ?? false,
    capturedAt: request.capturedAt ?? null,
    mapping: request.mapping ?? null,
    spoolFolder: join(dataDir, "spool"),
    skipDuplicates: !(await store.hasErased()),
    claimRetryMs,
    claims,
  });
  const group = new BatchGroup();
  const write = async () => {
    const batches = group.take();
    if (run.isStopped === true) throw new Error("the import was stopped");
    if (batches.length === 0) return;
    const writing = (run.writing = writer.write(batches));
    const files = await writing;
    if (files === null) return;
    const [last] = batches.slice(-1);
    if (last !== undefined) events.progress?.({ ...last.progress, records: writer.recordCount });
    for (const file of files) if (file.state === "done") events.fileDone?.(file);
  };
  for await (const step of steps) {
    if (step.kind === "batch") assertReadable(step, request);
    if (step.kind !== "batch" || !group.canTake(step)) await write();
    if (step.kind === "fileDone") await claims.finishClaim?.(step.claimId);
    else if (group.add(step)) await write();
  }
  await write();
}

/** Faults of this machine, by the refusal codes that a reader reports them with. */
const MACHINE_FAULTS: Readonly<Record<string, string>> = { no_space_left: "ENOSPC", too_many_open_files: "EMFILE" };
/** A disk that cannot read an upload may read it later; of a file that a command names, the report says it. */
const UPLOAD_FAULTS: Readonly<Record<string, string>> = { ...MACHINE_FAULTS, disk_error: "EIO" };

/** Refuses nothing for good that could be read at another time: the import fails instead, and resumes here. */
function assertReadable({ refused, file }: ReadBatch, { origin }: ImportRequest): void {
  const faults = origin === "command" ? MACHINE_FAULTS : UPLOAD_FAULTS;
  for (const [refusal, code] of Object.entries(faults)) {
    if (refusal in refused) throw Object.assign(new Error(`cannot read ${file}: ${code}`), { code });
  }
}

function createReport(
  job: string,
  files: readonly JobFile[],
  writer: BatchWriter,
  rest: Pick<ImportReport, "rejects" | "elsewhere">,
): ImportReport {
  return {
    job,
    files: files.map(({ name, report }) => ({ name, ...report })),
    total: sumReports(files.map(({ report }) => report)),
    own: { files: writer.files().map(({ name }) => name), ...writer.report },
    ...rest,
  };
}

/** Watchers of one folder share a group but not a job, since files arrive at different times for each. */
function getClaimGroup(job: Job, { watched, ...request }: ImportRequest): string {
  return watched === undefined ? job.id : `watch ${hashIdentity([resolve(watched), ...listOptions(request)])}`;
}

/** What makes the same files another import. */
function listOptions({
  subject = null,
  capturedAt = null,
  mapping = null,
  ...more
}: Partial<ImportRequest>): unknown[] {
  return [subject, capturedAt, ...(mapping === null ? [] : [mapping]), ...(more.namesAreIds === true ? [true] : [])];
}

function toJobRequest({ paths, origin, jobKey, label = paths.join(" "), ...options }: ImportRequest) {
  return {
    origin,
    label,
    id: jobKey,
    identity: paths.includes("-") ? null : [paths.map((path) => resolve(path)), ...listOptions(options)],
  };
}

/**
 * 0: all files were read; 1: something was refused or not recognised; 2: nothing could be read. Empty standard input is what a
 * pipe has if the program before it failed.
 */
export function exitCodeFor({ files, total }: ImportReport): 0 | 1 | 2 {
  const isRefused = Object.keys(total.refused).length > 0;
  const isInputEmpty = files.some(({ name, skipped }) => name === STANDARD_INPUT && EMPTY_FILE in skipped);
  if (countRecords(total) === 0 && (isRefused || isInputEmpty)) return 2;
  return isRefused ? 1 : 0;
}
