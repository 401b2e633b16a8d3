/**
 * Several processes work on one job: each asks the store for a file before it opens it, keeps its claim alive while it
 * reads, and leaves what another has taken over. A process that dies or stands still lets its claims expire.
 */
import { resolve } from "node:path";
import type { ClaimRenewal, FileClaim, JobFile } from "#domain/job.ts";
import type { Jobs } from "#store/store.ts";
import { isProcessDead } from "./process-identity.ts";
import type { ClaimResponse, ClaimRequest, ClaimSource } from "./read-files.ts";

/** How long a claim outlives the last sign of life. */
export const LEASE_MS = 60_000;

export interface ClaimTerms {
  jobId: string;
  scope: string;
  owner: string;
  leaseMs: number;
}

interface Held {
  claim: FileClaim;
  /** The name that the file was asked for by. */
  asked: string;
  /** As far as each file was read before, by name: the file itself or what is inside it. */
  files: ReadonlyMap<string, JobFile>;
}

export class JobClaims implements ClaimSource {
  readonly lost = new Set<number>();
  readonly #jobs: Jobs;
  readonly #terms: ClaimTerms;
  readonly #held = new Map<number, Held>();
  readonly #elsewhere = new Set<string>();
  readonly #waiting: (names: string[]) => void;
  #files: FilesByOuter;
  #number = 0;

  /** `files`: of a job that is taken up again. `waiting` is told when nothing is left but what others read. */
  constructor(jobs: Jobs, terms: ClaimTerms, files: readonly JobFile[], waiting: (names: string[]) => void) {
    this.#jobs = jobs;
    this.#terms = terms;
    this.#files = new FilesByOuter(files);
    this.#waiting = waiting;
  }

  async claim({ name, fingerprint }: ClaimRequest): Promise<ClaimResponse> {
    const { jobId, scope, owner, leaseMs } = this.#terms;
    const claim: FileClaim = { jobId, claimGroup: scope, path: resolve(name), name, fingerprint: fingerprint, owner };
    let outcome = await this.#jobs.claimFile(claim, leaseMs);
    if (outcome.state === "held" && isProcessDead(outcome.owner))
      outcome = await this.#jobs.claimFile(claim, leaseMs, outcome.owner);
    if (outcome.state === "held") {
      if (this.#elsewhere.has(name)) this.#waiting([...this.#elsewhere]);
      this.#elsewhere.add(name);
      return "held";
    }
    this.#elsewhere.delete(name);
    if (outcome.state === "done") return "done";
    // After the claim: whoever had it can commit no more, so this is how far it came.
    if (outcome.state === "taken") this.#files = new FilesByOuter(await this.#jobs.listJobFiles(jobId));
    const number = ++this.#number;
    const files = this.#files.of(outcome.name);
    this.#held.set(number, { claim: { ...claim, name: outcome.name }, asked: name, files });
    const before = [...files.values()].map((file) => ({
      name: file.name,
      fingerprint: file.fingerprint,
      state: file.state,
      position: file.position,
    }));
    return { claim: number, name: outcome.name, before };
  }

  before(number: number, name: string): JobFile | undefined {
    return this.#held.get(number)?.files.get(name);
  }

  /** For the commit of a batch. */
  step(number: number, ends: boolean): ClaimRenewal {
    return { claim: this.#claimOf(number), leaseMs: this.#terms.leaseMs, ends };
  }

  async end(number: number): Promise<void> {
    if (!(await this.#jobs.finishClaim(this.#claimOf(number)))) this.lose(number);
  }

  /** Another process has the file now. */
  lose(number: number): void {
    this.lost.add(number);
    this.#elsewhere.add((this.#held.get(number) as Held).asked);
  }

  /** Asked where something has to be done before a batch is committed. */
  async isStillHeld(number: number): Promise<boolean> {
    const { scope, owner, leaseMs } = this.#terms;
    return (await this.#jobs.renewClaims(scope, owner, leaseMs)).includes(this.#claimOf(number).path);
  }

  /** Files that others were reading when they were last asked for, or took over since. */
  elsewhere(): string[] {
    return [...this.#elsewhere];
  }

  /** Renews what is held, however long a batch takes; what it returns ends it. */
  keepAlive(): () => void {
    const { scope, owner, leaseMs } = this.#terms;
    let renewing = false;
    const renew = async () => {
      if (renewing) return;
      renewing = true;
      try {
        await this.#jobs.renewClaims(scope, owner, leaseMs);
      } catch {
        // The next batch will meet what is wrong with the store, and tell.
      } finally {
        renewing = false;
      }
    };
    const timer = setInterval(() => void renew(), leaseMs / 3);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** For an import that ends early: others need not wait for the lease. */
  async release(): Promise<void> {
    await this.#jobs.releaseClaims(this.#terms.scope, this.#terms.owner);
  }

  #claimOf(number: number): FileClaim {
    return (this.#held.get(number) as Held).claim;
  }
}

/** A rehearsal has no job: every file is its own to read. */
export function dryRunClaims(): ClaimSource {
  let number = 0;
  return { lost: new Set(), claim: async ({ name }) => ({ claim: ++number, name, before: [] }) };
}

/** Files of a job by the file on disk that they are or are inside of. */
class FilesByOuter {
  readonly #files = new Map<string, Map<string, JobFile>>();

  constructor(files: readonly JobFile[]) {
    for (const file of files) {
      // A file on disk may have the mark in its name too, so each part up to a mark may be the file on disk.
      for (let mark = file.name.indexOf("!"); mark !== -1; mark = file.name.indexOf("!", mark + 1)) {
        this.#put(file.name.slice(0, mark), file);
      }
      this.#put(file.name, file);
    }
  }

  #put(outer: string, file: JobFile): void {
    let inside = this.#files.get(outer);
    if (inside === undefined) this.#files.set(outer, (inside = new Map()));
    inside.set(file.name, file);
  }

  of(outer: string): ReadonlyMap<string, JobFile> {
    return this.#files.get(outer) ?? new Map<string, JobFile>();
  }
}
