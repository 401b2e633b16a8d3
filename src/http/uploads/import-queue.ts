/**
 * Uploads wait here for their import; some run at the same time, so that none waits behind a long one. The job is in the
 * store before the upload is acknowledged, and the file in the spool folder until its import is done: a restart finds both
 * and continues, and so does a retry after a failure. What fails by its own fault is refused after some tries. Several
 * nodes may share the folder: each file is imported by one of them. Tokens take turns, so that no token's uploads keep
 * those of others from the queue or from their import.
 */
import type { Refusal } from "#api/refusals.ts";
import type { Job, JobFile } from "#domain/job.ts";
import { describeBug, isFaultOfInput, STORAGE_FAULTS, storageFaultOf } from "#domain/storage-fault.ts";
import { DAY_MS } from "#domain/time.ts";
import { LEASE_MS } from "#import/claims.ts";
import type { ImportRequest } from "#import/import-files.ts";
import { sumJobFiles } from "#import/job-totals.ts";
import { newProcessId } from "#import/process-identity.ts";
import { emptyReport, type ImportReport } from "#import/report.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { UploadFolder } from "./upload-folder.ts";
import type { ReceivedUpload, UploadQueue } from "./upload-queue.ts";

type RunImport = (request: ImportRequest) => Promise<Pick<ImportReport, "elsewhere" | "own">>;

/** Beyond as many, a token that has its share of them has to wait. */
const MAX_QUEUED = 100;
/** Each has a parser thread; they share the one that writes, batch by batch. */
const MAX_CONCURRENT = 4;
/** The last place is for another token. */
const MAX_OF_TOKEN = MAX_CONCURRENT - 1;
/** Files sent again by the same token within this time are the same import. */
const SAME_MS = DAY_MS;

/** No upload takes this long: what is older and has no job was cut off, here or on a node that shares the folder. */
const ABANDONED_MS = DAY_MS;

/** The disk or the database may work again at any moment. */
const STORAGE_RETRY_MS = 2_000;
/** After any other failure, doubled each time: what fails for good must not keep a core busy. */
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 300_000;
/** An upload that fails as often in the same way, over five minutes, is refused, unless storage is at fault. */
const MAX_TRIES = 6;

interface QueuedUpload {
  key: string;
  token: string;
  origin: Job["origin"];
  /** Of the last failure. */
  message: string | null;
  /** In a row with that message. */
  failures: number;
}

/** Told of a failure of the disk once, and of every other one. `error` is null where the message says it all. */
export type OnImportError = (error: unknown, message: string) => void;

export class ImportQueue implements UploadQueue {
  readonly folder: UploadFolder;
  readonly #jobs: Jobs;
  readonly #run: RunImport;
  readonly #onError: OnImportError;
  /** By token, the next one first. */
  readonly #queued = new Map<string, QueuedUpload[]>();
  /** With the token of each. */
  readonly #running = new Map<Promise<void>, string>();
  readonly #retryTimers = new Map<NodeJS.Timeout, string>();
  /** By fingerprint, jobs that are being stored. */
  readonly #adding = new Map<string, Promise<string>>();
  /** The last fault that was logged: a full disk fails every upload, every few seconds. */
  #loggedFault: string | null = null;
  #closed = false;

  constructor(jobs: Jobs, dataDir: string, run: RunImport, onError: OnImportError) {
    this.#jobs = jobs;
    this.folder = new UploadFolder(dataDir);
    this.#run = run;
    this.#onError = onError;
  }

  isFull(token: string): boolean {
    return this.length >= MAX_QUEUED && isBeyondShare(this.#countWaiting(), token);
  }

  /** Tokens for which it is full. */
  fullTokens(): string[] {
    if (this.length < MAX_QUEUED) return [];
    const waiting = this.#countWaiting();
    return [...waiting.keys()].filter((token) => isBeyondShare(waiting, token));
  }

  /** Uploads that wait behind the imports under way, or for a retry. */
  get length(): number {
    let length = this.#retryTimers.size;
    for (const uploads of this.#queued.values()) length += uploads.length;
    return length;
  }

  async add(upload: ReceivedUpload): Promise<string> {
    const fingerprint = `${upload.origin} ${upload.token} ${upload.digest}`;
    // The second of two at the same time finds the job of the first.
    const adding = this.#adding.get(fingerprint) ?? this.#addNew(upload, fingerprint);
    this.#adding.set(fingerprint, adding);
    try {
      return await adding;
    } finally {
      this.#adding.delete(fingerprint);
    }
  }

  async #addNew({ key, origin, label, token }: ReceivedUpload, fingerprint: string): Promise<string> {
    const now = Date.now();
    const same = await this.#jobs.findJob(fingerprint, now - SAME_MS);
    if (same !== null && (await this.#isUsable(same))) return same.id;
    await this.#jobs.writeJob({
      id: key,
      fingerprint,
      origin,
      label,
      state: "running",
      createdAt: now,
      updatedAt: now,
      owner: newProcessId(),
    });
    this.#enqueue({ key, token, origin, message: null, failures: 0 });
    return key;
  }

  /** After a refusal, the same files may be read another time: their video may have been imported since. */
  async #isUsable({ id, state }: Job): Promise<boolean> {
    if (state === "running") return true;
    const { report } = await sumJobFiles(this.#jobs, id);
    return Object.keys(report.refused).length === 0;
  }

  /** Takes up what a stop or a crash left behind. */
  async resume(): Promise<void> {
    for (const key of this.folder.keys()) {
      const job = await this.#jobs.getJob(key);
      if (job?.state === "running")
        this.#enqueue({ key, token: tokenOf(job), origin: job.origin, message: null, failures: 0 });
      else if (job !== null || this.folder.ageMs(key) > ABANDONED_MS) await this.folder.delete(key);
    }
  }

  /** Waits for imports in progress; what waits behind them is taken up by the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running.keys());
  }

  #enqueue(upload: QueuedUpload): void {
    const queued = this.#queued.get(upload.token);
    if (queued === undefined) this.#queued.set(upload.token, [upload]);
    else queued.push(upload);
    this.#startNext();
  }

  #startNext(): void {
    const next = this.#closed || this.#running.size >= MAX_CONCURRENT ? undefined : this.#takeNext();
    if (next === undefined) return;
    const running = this.#import(next).finally(() => {
      this.#running.delete(running);
      this.#startNext();
    });
    this.#running.set(running, next.token);
  }

  /** The next upload of the token with the fewest imports under way; of several such tokens, the one whose turn it is. */
  #takeNext(): QueuedUpload | undefined {
    const running = countEach(this.#running.values());
    const runs = (token: string) => running.get(token) ?? 0;
    const [token] = [...this.#queued.keys()]
      .filter((each) => runs(each) < MAX_OF_TOKEN)
      .toSorted((one, other) => runs(one) - runs(other));
    if (token === undefined) return undefined;
    const [first, ...rest] = this.#queued.get(token) ?? [];
    // To the end: the others have their turn first.
    this.#queued.delete(token);
    if (rest.length > 0) this.#queued.set(token, rest);
    return first;
  }

  #countWaiting(): Map<string, number> {
    const queued = [...this.#queued.values()].flat().map(({ token }) => token);
    return countEach([...queued, ...this.#retryTimers.values()]);
  }

  async #import(upload: QueuedUpload): Promise<void> {
    const { key, origin } = upload;
    try {
      const paths = [this.folder.pathOf(key)];
      const { elsewhere, own } = await this.#run({ paths, origin, jobKey: key, wait: false });
      const bugs = own.refused["unexpected_error"] ?? 0;
      if (bugs > 0) this.#onError(null, `import ${key}: ${bugs} unexpected errors; its refusals say where`);
      // Another node is at it. By then it is done, or the node is gone and its claims have expired.
      if (elsewhere.length > 0) this.#retryLater(upload, LEASE_MS);
      else await this.folder.delete(key);
      this.#loggedFault = null;
    } catch (error) {
      const message = String(error);
      const failed = { ...upload, message, failures: message === upload.message ? upload.failures + 1 : 1 };
      if (failed.failures < MAX_TRIES || !isFaultOfInput(error)) {
        this.#retryLater(failed, this.#reportFailure(error, failed));
        return;
      }
      this.#onError(error, `import ${key} failed ${MAX_TRIES} times in the same way: the upload is refused`);
      await this.#refuse(failed, `unexpected_error: ${describeBug(error)}`);
    }
  }

  async #refuse(upload: QueuedUpload, reason: Refusal): Promise<void> {
    const { key } = upload;
    const name = this.folder.pathOf(key);
    const report = { ...emptyReport(), refused: { unexpected_error: 1 } };
    const file: JobFile = { jobId: key, name, fingerprint: "", state: "done", position: 0, report };
    try {
      await this.#jobs.writeJobFile(file, [{ file: name, line: null, reason }]);
      if (await this.#jobs.finishJob(key, Date.now())) await this.folder.delete(key);
      else this.#retryLater(upload, LEASE_MS);
    } catch (error) {
      this.#retryLater(upload, this.#reportFailure(error, upload));
    }
  }

  /** Returns after how many milliseconds to retry. */
  #reportFailure(error: unknown, { failures }: QueuedUpload): number {
    const fault = storageFaultOf(error);
    if (fault === null || fault === "damaged") {
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
      const what = fault === null ? "import failed" : STORAGE_FAULTS[fault];
      this.#onError(error, `${what}; retrying the import in ${retryMs / 1000} s`);
      return retryMs;
    }
    // Where a disk is full, the stack tells nothing more.
    const cause = fault === "full" ? null : error;
    if (this.#loggedFault !== fault) this.#onError(cause, `imports wait: ${STORAGE_FAULTS[fault]}`);
    this.#loggedFault = fault;
    return STORAGE_RETRY_MS;
  }

  #retryLater(upload: QueuedUpload, retryMs: number): void {
    const timer = setTimeout(() => {
      this.#retryTimers.delete(timer);
      this.#enqueue(upload);
    }, retryMs);
    timer.unref();
    this.#retryTimers.set(timer, upload.token);
  }
}

/** Whether the token has its share of the places, by the number of tokens that wait. */
function isBeyondShare(waiting: ReadonlyMap<string, number>, token: string): boolean {
  const tokens = waiting.size + (waiting.has(token) ? 0 : 1);
  return (waiting.get(token) ?? 0) >= Math.max(1, Math.floor(MAX_QUEUED / tokens));
}

function countEach(tokens: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** Jobs of older versions do not say it: they share their turns. */
function tokenOf({ fingerprint }: Job): string {
  return fingerprint.split(" ")[1] ?? "";
}
