/**
 * Uploads wait here for their import, one at a time. The job is in the store before the upload is acknowledged, and the
 * file in the spool folder until its import is done: a restart finds both and goes on. Several nodes may share the
 * folder: each file is imported by one of them.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "#domain/job.ts";
import { DAY_MS } from "#domain/time.ts";
import { LEASE_MS } from "#import/claims.ts";
import type { ImportRequest } from "#import/import-files.ts";
import { newProcessId } from "#import/process-identity.ts";
import type { ImportReport } from "#import/report.ts";
import type { Jobs } from "#store/store.ts";

type RunImport = (request: ImportRequest) => Promise<Pick<ImportReport, "elsewhere">>;

const MAX_WAITING = 100;

/** No upload takes this long: what is older and has no job was cut off, here or on a node that shares the folder. */
const CUT_OFF_MS = DAY_MS;

interface Waiting {
  key: string;
  origin: Job["origin"];
}

export class ImportQueue {
  readonly #jobs: Jobs;
  readonly #folder: string;
  readonly #run: RunImport;
  readonly #onError: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  readonly #later = new Set<NodeJS.Timeout>();
  #working: Promise<void> | null = null;
  #closed = false;

  constructor(jobs: Jobs, dataDir: string, run: RunImport, onError: (error: unknown) => void) {
    this.#jobs = jobs;
    this.#folder = join(dataDir, "uploads");
    this.#run = run;
    this.#onError = onError;
  }

  isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Where an upload's files go: a folder of its own, so that they keep the names that formats take facts from. */
  folderOf(key: string): string {
    const folder = join(this.#folder, key);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  discard(key: string): void {
    rmSync(join(this.#folder, key), { recursive: true, force: true });
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
    this.#waiting.push({ key, origin });
    this.#work();
  }

  /** Takes up what a stop or a crash left behind. */
  async resume(): Promise<void> {
    if (!existsSync(this.#folder)) return;
    for (const key of readdirSync(this.#folder).toSorted()) {
      const job = await this.#jobs.getJob(key);
      if (job?.state === "running") this.#waiting.push({ key, origin: job.origin });
      else if (job !== null || this.#isCutOff(key)) this.discard(key);
    }
    this.#work();
  }

  /** Waits for the import under way; what waits behind it is taken up by the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#later) clearTimeout(timer);
    await this.#working;
  }

  #work(): void {
    this.#working ??= this.#drain().finally(() => {
      this.#working = null;
    });
  }

  async #drain(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined && !this.#closed; next = this.#waiting.shift()) {
      try {
        const paths = [this.folderOf(next.key)];
        const { elsewhere } = await this.#run({ paths, origin: next.origin, jobKey: next.key, wait: false });
        if (elsewhere.length === 0) this.discard(next.key);
        else this.#askAgain(next);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Another node is at it. By then it is done, or the node is gone and its claims have expired. */
  #askAgain(upload: Waiting): void {
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      this.#waiting.push(upload);
      this.#work();
    }, LEASE_MS);
    timer.unref();
    this.#later.add(timer);
  }

  #isCutOff(key: string): boolean {
    const begun = statSync(join(this.#folder, key), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - begun > CUT_OFF_MS;
  }
}
