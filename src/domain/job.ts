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
  /** The process that works on it, as `host:pid`. */
  owner: string;
}

export interface JobFile {
  jobId: string;
  name: string;
  /** Size and time of the file when it was begun: another file of the same name is read from the start. */
  stamp: string;
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
  /** Reasons with counts: records or documents that could not be kept. */
  refused: Record<string, number>;
  /** Reasons with counts: what was left out on purpose. */
  skipped: Record<string, number>;
}

export interface Reject {
  file: string;
  /** 1-based line or document number, where there is one. */
  line: number | null;
  reason: string;
}
