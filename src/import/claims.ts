/**
 * Lets several processes share one job: each claims a file in the store before it opens it, renews the claim while it
 * reads, and stops when another process has taken the file over. Claims of a process that dies or hangs expire.
 */
import { resolve } from "node:path";
import type { ClaimRenewal, FileClaim, JobFile } from "#domain/job.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { isProcessDead } from "./process-identity.ts";
import type { ClaimRequest, ClaimResponse, ClaimSource } from "./read-files.ts";

/** How long a claim is valid after its last renewal. */
export const LEASE_MS = 60_000;

export interface ClaimOptions {
  jobId: string;
  claimGroup: string;
  owner: string;
  leaseMs: number;
}

interface ClaimedFile {
  claim: FileClaim;
  /** The name in the request; the claim's name is the one that the file was started under. */
  requestedName: string;
  /** Earlier progress by name: of the file itself or of files inside it. */
  previous: ReadonlyMap<string, JobFile>;
}

export class JobClaims implements ClaimSource {
  readonly lostClaims = new Set<number>();
  readonly #jobs: Jobs;
  readonly #options: ClaimOptions;
  readonly #claimedFiles = new Map<number, ClaimedFile>();
  readonly #claimedByOthers = new Set<string>();
  readonly #onWaiting: (names: string[]) => void;
  #files: FilesByDiskFile;
  #lastId = 0;

  /** `files`: earlier progress of the job. `onWaiting` is called when only files claimed by others are left. */
  constructor(jobs: Jobs, options: ClaimOptions, files: readonly JobFile[], onWaiting: (names: string[]) => void) {
    this.#jobs = jobs;
    this.#options = options;
    this.#files = new FilesByDiskFile(files);
    this.#onWaiting = onWaiting;
  }

  async claim({ name, fingerprint }: ClaimRequest): Promise<ClaimResponse> {
    const { jobId, claimGroup, owner, leaseMs } = this.#options;
    const claim: FileClaim = { jobId, claimGroup, path: resolve(name), name, fingerprint, owner };
    let outcome = await this.#jobs.claimFile(claim, leaseMs);
    if (outcome.state === "busy" && isProcessDead(outcome.owner))
      outcome = await this.#jobs.claimFile(claim, leaseMs, outcome.owner);
    if (outcome.state === "busy") {
      if (this.#claimedByOthers.has(name)) this.#onWaiting([...this.#claimedByOthers]);
      this.#claimedByOthers.add(name);
      return "busy";
    }
    this.#claimedByOthers.delete(name);
    if (outcome.state === "done") return "done";
    // Read after the claim: the previous owner can commit nothing more, so this is its final progress.
    if (outcome.state === "taken over") this.#files = new FilesByDiskFile(await this.#jobs.listJobFiles(jobId));
    const claimId = ++this.#lastId;
    const previous = this.#files.get(outcome.name);
    this.#claimedFiles.set(claimId, { claim: { ...claim, name: outcome.name }, requestedName: name, previous });
    return {
      claimId,
      name: outcome.name,
      previous: [...previous.values()].map((file) => ({
        name: file.name,
        fingerprint: file.fingerprint,
        state: file.state,
        position: file.position,
      })),
    };
  }

  previousProgress(claimId: number, name: string): JobFile | undefined {
    return this.#claimedFiles.get(claimId)?.previous.get(name);
  }

  /** For the commit of a batch. */
  createRenewal(claimId: number, isLast: boolean): ClaimRenewal {
    return { claim: this.#getClaimed(claimId).claim, leaseMs: this.#options.leaseMs, isLast };
  }

  async finishClaim(claimId: number): Promise<void> {
    if (!(await this.#jobs.finishClaim(this.#getClaimed(claimId).claim))) this.markLost(claimId);
  }

  /** Another process took the file over. */
  markLost(claimId: number): void {
    this.lostClaims.add(claimId);
    this.#claimedByOthers.add(this.#getClaimed(claimId).requestedName);
  }

  /** For writes that come before the commit of a batch. */
  async isOwned(claimId: number): Promise<boolean> {
    const { claimGroup, owner, leaseMs } = this.#options;
    const renewed = await this.#jobs.renewClaims(claimGroup, owner, leaseMs);
    return renewed.includes(this.#getClaimed(claimId).claim.path);
  }

  /** Files that other processes had when they were last requested, or took over since. */
  claimedByOthers(): string[] {
    return [...this.#claimedByOthers];
  }

  /** Claims the process itself, which shows that it works on the job also between two files. */
  async announce(): Promise<void> {
    const { jobId, claimGroup, owner, leaseMs } = this.#options;
    await this.#jobs.claimFile({ jobId, claimGroup, path: owner, name: "", fingerprint: null, owner }, leaseMs);
  }

  /** Renews all claims periodically, however long a batch takes. Returns a stop function. */
  startRenewing(): () => void {
    const { claimGroup, owner, leaseMs } = this.#options;
    let isRenewing = false;
    const renew = async () => {
      if (isRenewing) return;
      isRenewing = true;
      try {
        await this.#jobs.renewClaims(claimGroup, owner, leaseMs);
      } catch {
        // The next batch meets the same error and reports it.
      } finally {
        isRenewing = false;
      }
    };
    const timer = setInterval(() => void renew(), leaseMs / 3);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** For an import that ends: other processes need not wait for the lease to expire. */
  async release(): Promise<void> {
    await this.#jobs.releaseClaims(this.#options.claimGroup, this.#options.owner);
  }

  #getClaimed(claimId: number): ClaimedFile {
    const claimed = this.#claimedFiles.get(claimId);
    if (claimed === undefined) throw new Error(`unknown claim ${claimId}`);
    return claimed;
  }
}

/** A dry run has no job, so every file can be read. */
export function dryRunClaims(): ClaimSource {
  let lastId = 0;
  return { lostClaims: new Set(), claim: async ({ name }) => ({ claimId: ++lastId, name, previous: [] }) };
}

/** Files of a job by the file on disk that they are or are inside of. */
class FilesByDiskFile {
  readonly #files = new Map<string, Map<string, JobFile>>();

  constructor(files: readonly JobFile[]) {
    for (const file of files) {
      // `!` separates an archive from its entries, but a file on disk may have it in its name too: try every prefix.
      for (let end = file.name.indexOf("!"); end !== -1; end = file.name.indexOf("!", end + 1)) {
        this.#add(file.name.slice(0, end), file);
      }
      this.#add(file.name, file);
    }
  }

  #add(diskFile: string, file: JobFile): void {
    let inside = this.#files.get(diskFile);
    if (inside === undefined) this.#files.set(diskFile, (inside = new Map()));
    inside.set(file.name, file);
  }

  get(diskFile: string): ReadonlyMap<string, JobFile> {
    return this.#files.get(diskFile) ?? new Map<string, JobFile>();
  }
}
