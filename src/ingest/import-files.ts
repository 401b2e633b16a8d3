/**
 * Imports files: what is read is kept, batch by batch. Records and the position in the file are committed together, so
 * an import that is killed at any moment goes on where it was, loses nothing and doubles nothing.
 */
import { join, resolve } from "node:path";
import type { Job, JobFile } from "#domain/job.ts";
import type { Changes, Outcome, Store } from "#store/store.ts";
import { openJob } from "./jobs.ts";
import { merge } from "./merge.ts";
import type { ReadBatch, ReadFiles } from "./read-files.ts";
import { Rehearsed } from "./rehearsed.ts";
import { writeRejects } from "./rejects-file.ts";
import {
  addKinds,
  addReports,
  countRecords,
  emptyReport,
  type ImportReport,
  totalOf,
  withBatch,
  withOutcome,
} from "./report.ts";
import { Settler } from "./settle.ts";

export interface ImportServices {
  store: Pick<Store, "of" | "writer" | "jobs" | "preparing" | "hasErased">;
  read: ReadFiles;
  dataDir: string;
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
}

export async function importFiles(
  services: ImportServices,
  request: ImportRequest,
  events: ImportEvents = {},
): Promise<ImportReport> {
  const { store, dataDir } = services;
  const rehearsal = request.dryRun === true;
  const opened = rehearsal ? null : await openJob(store.jobs, jobRequest(request), Date.now());
  const id = opened?.job.id ?? "dry run";
  const before = opened?.files ?? new Map<string, JobFile>();
  const keeper = new Keeper(store, id, before, rehearsal);
  const batches = services.read({
    paths: request.paths,
    of: request.of ?? null,
    capturedAt: request.capturedAt ?? null,
    spoolFolder: join(dataDir, "spool"),
    passRepeats: !(await store.hasErased()),
    before: [...before.values()].map(({ name, stamp, state, position }) => ({ name, stamp, state, position })),
  });
  for await (const batch of batches) {
    const file = await keeper.keep(batch);
    events.progress?.({ ...batch.progress, records: keeper.records });
    if (file.state === "done") events.fileDone?.(file);
  }
  const files = keeper.files();
  const rejects = rehearsal ? null : await writeRejects(store.jobs, id, dataDir);
  if (opened !== null) await store.jobs.putJob({ ...opened.job, state: "done", updatedAt: Date.now() });
  return {
    job: id,
    files: files.map(({ name, report }) => ({ name, ...report })),
    total: totalOf(files.map(({ report }) => report)),
    rejects,
  };
}

function jobRequest({ paths, origin, of = null, capturedAt = null, jobKey }: ImportRequest) {
  return {
    origin,
    label: paths.join(" "),
    fingerprint: jobKey,
    identity: paths.includes("-") ? null : [paths.map((path) => resolve(path)), of, capturedAt],
  };
}

class Keeper {
  readonly #store: ImportServices["store"];
  readonly #jobId: string;
  readonly #before: ReadonlyMap<string, JobFile>;
  readonly #rehearsal: boolean;
  readonly #settler: Settler;
  readonly #files = new Map<string, JobFile>();
  readonly #restarted = new Set<string>();
  #rehearsed: Rehearsed | undefined;
  records = 0;

  constructor(store: ImportServices["store"], jobId: string, before: ReadonlyMap<string, JobFile>, rehearsal: boolean) {
    this.#store = store;
    this.#jobId = jobId;
    this.#before = before;
    this.#rehearsal = rehearsal;
    this.#settler = new Settler(store);
  }

  files(): JobFile[] {
    return [...this.#files.values()];
  }

  async keep(batch: ReadBatch): Promise<JobFile> {
    const file = this.#fileOf(batch);
    const { position, state } = batch;
    const restarted = this.#restarted.delete(file.name);
    const changes = await this.#settler.changes(batch);
    let report = withBatch(file.report, batch);
    if (this.#rehearsal) report = withOutcome(report, await this.#rehearse(changes));
    else {
      await this.#settler.adopt(batch);
      await this.#store.writer.apply(changes, merge, (outcome) => {
        report = withOutcome(report, outcome);
        return { file: { ...file, position, state, report }, rejects: batch.rejects, restarted };
      });
    }
    Object.assign(file, { position, state, report });
    this.records += batch.size;
    return file;
  }

  /** Nothing is kept, so what an earlier batch would have made is remembered here. */
  async #rehearse(changes: readonly Changes[]): Promise<Outcome> {
    this.#rehearsed ??= new Rehearsed(this.#store.preparing);
    const { unseen, seen } = this.#rehearsed.split(changes);
    return addKinds(await this.#store.writer.rehearse(unseen, merge), seen);
  }

  #fileOf({ file: name, stamp }: ReadBatch): JobFile {
    const begun = this.#files.get(name);
    if (begun?.state === "running") return begun;
    const before = this.#before.get(name);
    const file: JobFile =
      begun === undefined && before?.stamp === stamp
        ? { ...before }
        : { jobId: this.#jobId, name, stamp, state: "running", position: 0, report: emptyReport() };
    // Two entries of one archive may share a name: their reports add up.
    if (begun !== undefined) file.report = addReports(begun.report, file.report);
    // Another file of that name stood there before the interruption: what was refused in it is no longer so.
    if (begun === undefined && before !== undefined && before.stamp !== stamp) this.#restarted.add(name);
    this.#files.set(name, file);
    return file;
  }
}

/** 0 all was read, 1 something was refused or not recognised, 2 nothing could be done. */
export function exitCodeOf(report: ImportReport): 0 | 1 | 2 {
  const refused = Object.keys(report.total.refused).length > 0;
  if (!refused) return 0;
  return countRecords(report.total) === 0 ? 2 : 1;
}
