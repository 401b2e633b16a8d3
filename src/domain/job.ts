/** An import under way or done: durable, so that a killed one goes on where it was. Times are Unix milliseconds. */
export interface Job {
  id: string;
  /** The same request made again finds the same unfinished job. */
  fingerprint: string;
  origin: "command" | "push" | "upload";
  /** What is imported, in words. */
  label: string;
  state: "running" | "done";
  createdAt: number;
  updatedAt: number;
  /** The process that took it up last, as `host:pid:` and a random word. Others may work on it too. */
  owner: string;
}

/** One process reads one file of a job, with all that is inside it, and no other does as long as the claim lives. */
export interface FileClaim {
  jobId: string;
  /** Claims of the same scope exclude each other: a job's id, or what stands for all jobs on one watched folder. */
  claimGroup: string;
  /** The file's whole path: what tells it from others, however it was named. */
  path: string;
  /** As the file is called in reports; whoever takes it over goes on under the name that it was begun with. */
  name: string;
  /** Size and time of the file: another one at the same path is to be read, also when this one is done. Null for any. */
  fingerprint: string | null;
  owner: string;
}

export type ClaimOutcome =
  /** Nobody had it before. */
  | { state: "begun"; name: string }
  /** Somebody had it and left it, or the file is another one by now. */
  | { state: "taken"; name: string }
  | { state: "held"; owner: string }
  /** Read to its end, or the whole job is. */
  | { state: "done" };

/** A claim as a batch is committed under it: lost claims commit nothing, the others live on from then. */
export interface ClaimRenewal {
  claim: FileClaim;
  leaseMs: number;
  /** With this batch the file is read to its end. */
  ends: boolean;
}

/** The claim expired and another process has the file now. Nothing of the batch was kept. */
export class ClaimLost extends Error {
  override name = "ClaimLost";

  constructor({ name }: FileClaim) {
    super(`another process took over ${name}`);
  }
}

export interface JobFile {
  jobId: string;
  name: string;
  /** Size and time of the file when it was begun: another file of the same name is read from the start. */
  fingerprint: string;
  state: "running" | "done";
  /** Documents of the file that are dealt with: reading goes on after them. */
  position: number;
  report: FileReport;
}

/** What counts as one thing in a report. */
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
  /** Refused because it was erased here before. */
  erased: number;
}

export interface FileReport {
  /** Format names with the number of documents read in each. */
  formats: Record<string, number>;
  records: Partial<Record<ReportKind, KindCounts>>;
  /** Codes of reasons with counts: records or documents that could not be kept. Older reports have sentences for codes. */
  refused: Record<string, number>;
  /** Reasons with counts: what was left out on purpose. */
  skipped: Record<string, number>;
}

/** Numbers rise in the order in which the refusals were kept; some may be missing. */
export interface NumberedReject extends Reject {
  number: number;
}

export interface Reject {
  file: string;
  /** 1-based line or document number, where there is one. */
  line: number | null;
  /** A code, or a code, a colon and what is particular about the case. Older ones are sentences. */
  reason: string;
}
