/**
 * Uploads wait here for their import, one at a time. The job is in the store before the upload is acknowledged, and the
 * file in the spool folder until its import is done: a restart finds both and continues. Several nodes may share the
 * folder: each file is imported by one of them.
 */
import type { Job } from "#domain/job.ts";
import { DAY_MS } from "#domain/time.ts";
import { LEASE_MS } from "#import/claims.ts";
import type { ImportRequest } from "#import/import-files.ts";
import { newProcessId } from "#import/process-identity.ts";
import type { ImportReport } from "#import/report.ts";
import type { Jobs } from "#store/jobs.ts";
import { UploadFolder } from "./upload-folder.ts";
import type { UploadQueue } from "./upload-queue.ts";

type RunImport = (request: ImportRequest) => Promise<Pick<ImportReport, "elsewhere">>;

const MAX_QUEUED = 100;

/** No upload takes this long: what is older and has no job was cut off, here or on a node that shares the folder. */
const ABANDONED_MS = DAY_MS;

interface QueuedUpload {
  key: string;
  origin: Job["origin"];
}

export class ImportQueue implements UploadQueue {
  readonly folder: UploadFolder;
  readonly #jobs: Jobs;
  readonly #run: RunImport;
  readonly #onError: (error: unknown) => void;
  readonly #queued: QueuedUpload[] = [];
  readonly #retryTimers = new Set<NodeJS.Timeout>();
  #draining: Promise<void> | null = null;
  #closed = false;

  constructor(jobs: Jobs, dataDir: string, run: RunImport, onError: (error: unknown) => void) {
    this.#jobs = jobs;
    this.folder = new UploadFolder(dataDir);
    this.#run = run;
    this.#onError = onError;
  }

  isFull(): boolean {
    return this.#queued.length >= MAX_QUEUED;
  }

  /** Uploads that wait behind the import under way. */
  get length(): number {
    return this.#queued.length;
  }

  async add(key: string, origin: "push" | "upload", label: string): Promise<void> {
    const now = Date.now();
    await this.#jobs.writeJob({
      id: key,
      fingerprint: key,
      origin,
      label,
      state: "running",
      createdAt: now,
      updatedAt: now,
      owner: newProcessId(),
    });
    this.#queued.push({ key, origin });
    this.#startDraining();
  }

  /** Takes up what a stop or a crash left behind. */
  async resume(): Promise<void> {
    for (const key of this.folder.keys()) {
      const job = await this.#jobs.getJob(key);
      if (job?.state === "running") this.#queued.push({ key, origin: job.origin });
      else if (job !== null || this.folder.ageMs(key) > ABANDONED_MS) this.folder.delete(key);
    }
    this.#startDraining();
  }

  /** Waits for the import under way; what waits behind it is taken up by the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#retryTimers) clearTimeout(timer);
    await this.#draining;
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null;
    });
  }

  async #drain(): Promise<void> {
    for (let next = this.#queued.shift(); next !== undefined && !this.#closed; next = this.#queued.shift()) {
      try {
        const paths = [this.folder.pathOf(next.key)];
        const { elsewhere } = await this.#run({ paths, origin: next.origin, jobKey: next.key, wait: false });
        if (elsewhere.length === 0) this.folder.delete(next.key);
        else this.#retryLater(next);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Another node is at it. By then it is done, or the node is gone and its claims have expired. */
  #retryLater(upload: QueuedUpload): void {
    const timer = setTimeout(() => {
      this.#retryTimers.delete(timer);
      this.#queued.push(upload);
      this.#startDraining();
    }, LEASE_MS);
    timer.unref();
    this.#retryTimers.add(timer);
  }
}
