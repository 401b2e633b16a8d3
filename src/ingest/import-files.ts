/**
 * Imports files: opens them, reads their documents, keeps what was found. Records and the position in the file are
 * committed together, so an import that is killed at any moment goes on where it was, loses nothing and doubles nothing.
 */
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Platform } from "#contract/platform.ts";
import type { SourceFile } from "#contract/importer.ts";
import type { Job, JobFile } from "#domain/job.ts";
import type { Store } from "#store/store.ts";
import { Gathering } from "./collecting.ts";
import { type Document, type Found, isDocument, isRefused } from "./containers/document.ts";
import { documents } from "./containers/documents.ts";
import { type OpenedFile, openFiles } from "./containers/open-files.ts";
import { openJob } from "./jobs.ts";
import { readDocument, type ReadingPlatform, readingPlatforms } from "./read-document.ts";
import { writeRejects } from "./rejects-file.ts";
import { addReports, countRecords, emptyReport, type ImportReport, totalOf, withBatch, withOutcome } from "./report.ts";
import { Settler } from "./settle.ts";

export interface ImportServices {
  store: Pick<Store, "of" | "writer" | "jobs">;
  platforms: readonly Platform[];
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

/** Records to a transaction: large enough to be quick, small enough that readers and a kill hardly notice. */
const BATCH_RECORDS = 5_000;
const BATCH_DOCUMENTS = 5_000;

export async function importFiles(
  services: ImportServices,
  request: ImportRequest,
  events: ImportEvents = {},
): Promise<ImportReport> {
  const { jobs } = services.store;
  const rehearsal = request.dryRun === true;
  const opened = rehearsal ? null : await openJob(jobs, jobRequest(request), Date.now());
  const id = opened?.job.id ?? "dry run";
  const platforms = await readingPlatforms(services.platforms);
  const run = new ImportRun({ ...services, platforms }, request, events, id, opened?.files ?? new Map());
  const spoolFolder = join(services.dataDir, "spool");
  for await (const opened of openFiles(request.paths, { spoolFolder })) {
    if ("bytes" in opened) await run.importFile(opened);
    else if ("refused" in opened) await run.noteFile(opened.name, { refused: opened.refused });
    else await run.noteFile(opened.name, { skipped: opened.skipped });
  }
  const files = run.files();
  const rejects = rehearsal ? null : await writeRejects(jobs, id, services.dataDir);
  if (opened !== null) await jobs.putJob({ ...opened.job, state: "done", updatedAt: Date.now() });
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

interface RunServices extends Omit<ImportServices, "platforms"> {
  platforms: readonly ReadingPlatform[];
}

class ImportRun {
  readonly #services: RunServices;
  readonly #request: ImportRequest;
  readonly #events: ImportEvents;
  readonly #jobId: string;
  readonly #before: Map<string, JobFile>;
  readonly #done = new Map<string, JobFile>();
  readonly #settler: Settler;
  #records = 0;

  constructor(
    services: RunServices,
    request: ImportRequest,
    events: ImportEvents,
    jobId: string,
    before: Map<string, JobFile>,
  ) {
    this.#services = services;
    this.#request = request;
    this.#events = events;
    this.#jobId = jobId;
    this.#before = before;
    this.#settler = new Settler(services.store);
  }

  files(): JobFile[] {
    return [...this.#done.values()];
  }

  /** A file that was not read at all, with the reason. */
  async noteFile(name: string, { refused, skipped }: { refused?: string; skipped?: string }): Promise<void> {
    const file = this.#begin(name, "");
    if (file.state === "running") {
      const gathering = new Gathering();
      if (refused !== undefined) gathering.refuse({ file: { name, segments: [], of: null }, line: null }, refused);
      if (skipped !== undefined) gathering.skip(skipped);
      await this.#keep(file, gathering, 0, "done");
    }
    this.#finish(file);
  }

  async importFile(opened: OpenedFile): Promise<void> {
    const file = this.#begin(opened.name, `${opened.size}:${opened.modifiedAt}`);
    if (file.state === "running") await this.#read(opened, file);
    this.#finish(file);
  }

  #begin(name: string, stamp: string): JobFile {
    const before = this.#before.get(name);
    if (before?.stamp === stamp) return { ...before };
    return { jobId: this.#jobId, name, stamp, state: "running", position: 0, report: emptyReport() };
  }

  #finish(file: JobFile): void {
    const earlier = this.#done.get(file.name);
    // Two entries of one archive may share a name.
    if (earlier !== undefined) file.report = addReports(earlier.report, file.report);
    this.#done.set(file.name, file);
    this.#events.fileDone?.(file);
  }

  async #read(opened: OpenedFile, file: JobFile): Promise<void> {
    const source: SourceFile = { name: opened.name, segments: opened.segments, of: this.#request.of ?? null };
    const capturedAt = Math.floor(this.#request.capturedAt ?? opened.modifiedAt ?? Date.now());
    let gathering = new Gathering();
    let read = 0;
    let position = file.position;
    for await (const found of documents(opened, { from: file.position })) {
      this.#take(found, source, capturedAt, gathering);
      if (!("index" in found)) continue;
      position = found.index + 1;
      read++;
      if (gathering.size < BATCH_RECORDS && read < BATCH_DOCUMENTS) continue;
      await this.#keep(file, gathering, position, "running");
      this.#tell(opened);
      gathering = new Gathering();
      read = 0;
      // The process may be serving requests meanwhile.
      await nextTurn();
    }
    if (position === 0) gathering.skip("empty file");
    await this.#keep(file, gathering, position, "done");
    this.#tell(opened);
  }

  #take(found: Found, file: SourceFile, fallback: number, gathering: Gathering): void {
    if (isDocument(found)) this.#takeDocument(found, file, fallback, gathering);
    else if (isRefused(found)) gathering.refuse({ file, line: found.line ?? null }, found.refused);
    else gathering.skip(found.note);
  }

  #takeDocument(document: Document, file: SourceFile, fallback: number, gathering: Gathering): void {
    const line = document.line ?? null;
    const capturedAt = document.capturedAt ?? fallback;
    if (readDocument(this.#services.platforms, document, { file, line, capturedAt }, gathering)) return;
    // An answer in a recording of browsing, or a part of a large document, need not be about posts at all.
    if (document.origin.url !== undefined || document.within !== undefined)
      gathering.skip("nothing of a platform in it");
    else gathering.refuse({ file, line }, "no known format, and none of the platforms' objects in it");
  }

  async #keep(file: JobFile, gathering: Gathering, position: number, state: JobFile["state"]): Promise<void> {
    const { writer } = this.#services.store;
    const { changes, repeated } = await this.#settler.settle(gathering);
    let report = withOutcome(withBatch(file.report, gathering), repeated);
    if (this.#request.dryRun === true) {
      report = withOutcome(report, await writer.rehearse(changes));
      this.#settler.forget();
    } else {
      await this.#settler.adopt(gathering);
      await writer.apply(changes, (outcome) => {
        report = withOutcome(report, outcome);
        return { file: { ...file, position, state, report }, rejects: gathering.rejects };
      });
    }
    Object.assign(file, { report, position, state });
    this.#records += gathering.size;
  }

  #tell(opened: OpenedFile): void {
    this.#events.progress?.({
      file: opened.outer.name,
      bytesRead: opened.bytesRead(),
      bytesTotal: opened.outer.size,
      records: this.#records,
    });
  }
}

/** 0 all was read, 1 something was refused or not recognised, 2 nothing could be done. */
export function exitCodeOf(report: ImportReport): 0 | 1 | 2 {
  const refused = Object.keys(report.total.refused).length > 0;
  if (!refused) return 0;
  return countRecords(report.total) === 0 ? 2 : 1;
}
