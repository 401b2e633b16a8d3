/** Import jobs, their files and rejects, and the leased claims that let one process at a time read each file. */
import type {
  ClaimOutcome,
  FileClaim,
  Job,
  JobFile,
  ListedJob,
  NumberedFile,
  NumberedReject,
  Reject,
  ShownJobState,
} from "#domain/job.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";

export interface Jobs {
  writeJob(job: Job): Promise<void>;
  getJob(id: string): Promise<ListedJob | null>;
  /** The newest job with this fingerprint since then that is running or done. */
  findJob(fingerprint: string, createdSince: number): Promise<Job | null>;
  /** Returns the unfinished job with the same fingerprint under its new owner, or else writes and returns this one. */
  startJob(job: Job): Promise<Job>;
  /**
   * Marks a job done unless a live claim shows that a file is still being read; a process that claims only itself does not
   * count. Returns whether it is done.
   */
  finishJob(id: string, now: number): Promise<boolean>;
  /** Ends an unfinished job that no process holds a lease on. Returns whether it did. */
  dismissJob(id: string, now: number): Promise<boolean>;
  /** Whether the store still has what undoing the job needs. */
  canUndo(id: string): Promise<boolean>;
  /** Jobs that ended before this time can no longer be undone. */
  forgetUndo(endedBefore: number): Promise<void>;
  /** Newest first; those that come after the one with the id `before`. */
  listJobs(limit: number, before?: string): Promise<ListedJob[]>;
  countJobs(): Promise<Record<ShownJobState, number>>;

  /** Replaces its rejects too. */
  writeJobFile(file: JobFile, rejects?: Reject[]): Promise<void>;
  /** In the order they were started. */
  listJobFiles(jobId: string): Promise<JobFile[]>;
  /** In the same order, with numbers from `from` on. */
  listJobFilePage(jobId: string, from: number, limit: number): Promise<NumberedFile[]>;
  /** In the order they were written, with numbers above `after`. */
  listRejects(jobId: string, after: number, limit: number): Promise<NumberedReject[]>;

  /**
   * Leases a file by the store's clock, unless it is done or under a live claim. A claim of `deadOwner` counts as
   * expired. Never waits.
   */
  claimFile(claim: FileClaim, leaseMs: number, deadOwner?: string | null): Promise<ClaimOutcome>;
  /** Renews the owner's claims in the group. Returns the paths of the renewed files. */
  renewClaims(claimGroup: string, owner: string, leaseMs: number): Promise<string[]>;
  /** Marks the file as read. Returns false if the claim was lost. */
  finishClaim(claim: FileClaim): Promise<boolean>;
  /** Expires the owner's claims in the group immediately. */
  releaseClaims(claimGroup: string, owner: string): Promise<void>;
}

/** Texts of the history of imports that may name a file. */
export function* listFileTexts(sql: SqlSteps): Steps<string[]> {
  const rows = yield* sql.all<{ text: string }>(
    `SELECT name AS text FROM job_files UNION ALL SELECT label FROM jobs
      UNION ALL SELECT reason FROM job_rejects UNION ALL SELECT path FROM job_claims WHERE state = 'done'`,
  );
  return rows.map(({ text }) => text);
}
