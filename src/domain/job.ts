/** An import, running or done: durable, so that an interrupted one can resume. Times are Unix milliseconds. */
export interface Job {
  id: string;
  /** A repeated request finds the unfinished job with the same fingerprint. */
  fingerprint: string;
  origin: "command" | "push" | "upload";
  /** What is imported, for people. */
  label: string;
  /**
   * A job is `running` until its end, also without a process. A dismissed job keeps its records and is not resumed. Those of
   * an undone job are gone; its files and refusals are still listed.
   */
  state: "running" | "done" | "dismissed" | "undone";
  createdAt: number;
  updatedAt: number;
  /** The process that started or resumed it last: `host:pid:` and random characters. Others may work on it too. */
  owner: string;
}

export interface ListedJob extends Job {
  /** Whether a process holds a lease on it. */
  isLive: boolean;
}

export const JOB_STATES = ["running", "waiting", "interrupted", "done", "dismissed", "undone"] as const;
export type ShownJobState = (typeof JOB_STATES)[number];

export const NO_JOBS: Readonly<Record<ShownJobState, number>> = {
  running: 0,
  waiting: 0,
  interrupted: 0,
  done: 0,
  dismissed: 0,
  undone: 0,
};

/** A service imports an upload when its turn comes; a command that was interrupted has to be run again. */
export function shownState({ state, isLive, origin }: Pick<ListedJob, "state" | "isLive" | "origin">): ShownJobState {
  if (state !== "running" || isLive) return state;
  return origin === "command" ? "interrupted" : "waiting";
}

/** The exclusive right of one process to read a file of a job, with everything inside it, until the claim expires. */
export interface FileClaim {
  jobId: string;
  /** Claims of the same group exclude each other: the job's id, or one group for all jobs on a watched folder. */
  claimGroup: string;
  /** The absolute path, which identifies the file however it was named. */
  path: string;
  /** The file's name in reports. A process that takes the file over continues under the first name. */
  name: string;
  /** Size and time. A file with another fingerprint at the same path is read even if this one is done. Null for any. */
  fingerprint: string | null;
  owner: string;
}

export type ClaimOutcome =
  /** Nobody had claimed it before. */
  | { state: "acquired"; name: string }
  /** Its owner gave it up or died, or the file was replaced. */
  | { state: "taken over"; name: string }
  /** Another process has it. */
  | { state: "busy"; owner: string }
  /** The file was read to its end, or the job is done. */
  | { state: "done" };

/** Renews a claim with the commit of a batch. If the claim is lost, nothing is committed. */
export interface ClaimRenewal {
  claim: FileClaim;
  leaseMs: number;
  /** The file ends with this batch. */
  isLast: boolean;
}

/** The claim expired and another process took the file over. Nothing of the batch was written. */
export class ClaimLost extends Error {
  override name = "ClaimLost";

  constructor({ name }: FileClaim) {
    super(`another process took over ${name}`);
  }
}

export interface JobFile {
  jobId: string;
  name: string;
  /** Size and time when reading started. A file with another fingerprint is read from the start. */
  fingerprint: string;
  state: "running" | "done";
  /** The number of documents already processed: reading resumes after them. */
  position: number;
  report: FileReport;
}

/** Numbers increase in the order in which the files were started; there may be gaps. */
export interface NumberedFile extends JobFile {
  number: number;
}

/** What reports count by. */
export type ReportKind =
  | "account"
  | "post"
  | "comment"
  | "sound"
  | "hashtag"
  | "place"
  | "subtitles"
  | "follow"
  | "chart";

export interface KindCounts {
  new: number;
  updated: number;
  unchanged: number;
  /** Not written because the record was erased earlier. */
  erased: number;
}

export function emptyCounts(): KindCounts {
  return { new: 0, updated: 0, unchanged: 0, erased: 0 };
}

export interface FileReport {
  /** Documents read, by format. */
  formats: Record<string, number>;
  records: Partial<Record<ReportKind, KindCounts>>;
  /** Counts by refusal code: records or documents that could not be imported. Older reports have sentences as codes. */
  refused: Record<string, number>;
  /** Counts by reason: what was left out on purpose. */
  skipped: Record<string, number>;
}

/** Numbers increase in the order of the refusals; there may be gaps. */
export interface NumberedReject extends Reject {
  number: number;
}

export interface Reject {
  file: string;
  /** 1-based line number, if the file has lines. */
  line: number | null;
  /** A refusal code, optionally with a colon and a detail. Older ones are sentences. */
  reason: string;
}
