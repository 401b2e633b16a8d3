/** Write access to records. Only `import/` holds a `Writer`. */
import type { Account } from "#domain/account.ts";
import type { Chart, ChartEntry } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { ClaimRenewal, JobFile, KindCounts, Reject, ReportKind } from "#domain/job.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, PlatformName, RecordKind } from "#domain/record.ts";
import type { Expiry } from "#domain/retention.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import type { AnyRecord, EncodedRecord } from "./encoded-record.ts";

export interface Writer {
  /**
   * Merges captures into the stored records, all units in one transaction; each reads what those before it wrote. A
   * record's counters join its history. Erased records stay erased. Returns the counts of each unit. A dry run writes
   * nothing and returns the counts that each unit would have by itself; other writers wait for one unit at most.
   */
  write(units: readonly WriteUnit[], options?: { dryRun?: boolean }): Promise<WriteCounts[]>;
  /** Merges an account known by name only into the account with this id, with everything that refers to it. */
  mergePlaceholder(platform: PlatformName, provisionalId: string, id: string, merge: Merge): Promise<void>;
  /** Deletes everything captured by one source; it may be imported again. Returns the number of records deleted. */
  deleteSource(source: string): Promise<number>;
  /** Permanently deletes an account with everything it published, or one post or comment: later writes are ignored. */
  erase(platform: PlatformName, kind: "account" | "post" | "comment", id: string): Promise<ErasureResult>;
  /**
   * Removes the bytes of everything that was deleted, if any may be left: other writers wait for it. False if a long read, such
   * as a backup, still needs some; then they stay pending, as when it fails or is killed, and a later call removes them.
   */
  purgeErased(): Promise<boolean>;
  /** Dry run of `erase`: the counts it would return. */
  previewErasure(platform: PlatformName, kind: "account" | "post" | "comment", id: string): Promise<ErasureCounts>;
  /** Deletes at most `limit` rows that are due by retention rules; they may be captured again. */
  deleteExpired(expiry: Expiry, limit: number): Promise<number>;
  /** How many rows are due. */
  countExpired(expiry: Expiry): Promise<number>;
  /**
   * Undoes what a job wrote, a page of records per call and transaction, or with `dryRun` only counts it. Pass the
   * `next` of the page before until it is null. Interrupted, it continues from the start.
   */
  undo(jobId: string, after: UndoPosition | null, dryRun: boolean): Promise<UndoPage>;
  /** Of which `restoreImported` may find something. */
  listLiveSources(): Promise<string[]>;
  /**
   * Puts rows of a live source that are due by these rules back to their imported state, unless that is due too; pages as
   * `undo`.
   */
  restoreImported(
    source: string,
    expiries: readonly Expiry[],
    after: UndoPosition | null,
    dryRun: boolean,
  ): Promise<UndoPage>;
  /**
   * Recomputes trends if posts or the day changed since, or those as of an earlier day, in days since 1970. Takes seconds per 100,000 posts; writers and readers do not wait
   * for it. Not part of any write: call it when an import ends.
   */
  refreshTrends(asOf?: number | null): Promise<void>;
}

/** Deleted rows by kind; `mention` counts records of others that named the person, `file` names in the import history. */
export type ErasureCounts = Record<
  "account" | "post" | "comment" | "subtitles" | "follow" | "chart" | "sound" | "history" | "mention" | "file",
  number
>;

export interface ErasureResult {
  counts: ErasureCounts;
  /** Imports whose file names or rejects were changed. */
  jobs: string[];
}

export interface UndoCounts {
  /** Only this job had brought them. */
  removed: Partial<Record<ReportKind, number>>;
  /** This job had changed them last: they are what they were before. */
  restored: Partial<Record<ReportKind, number>>;
  /** Other jobs touched them later: they stay as they are. */
  kept: Partial<Record<ReportKind, number>>;
  /** Those other jobs, with the number of records that stay because of each. */
  keptFor: Record<string, number>;
  /** Observations of counters that go from records that stay. */
  points: number;
}

export interface UndoPage {
  counts: UndoCounts;
  next: UndoPosition | null;
}

/** Where the next page begins. */
export interface UndoPosition {
  key: string;
  platform: PlatformName;
  kind: string;
  number: number;
}

/** Whole records of one platform: see `toUnit`. */
export interface Batch {
  accounts?: Account[];
  posts?: Post[];
  comments?: Comment[];
  sounds?: Sound[];
  hashtags?: Hashtag[];
  places?: Place[];
  subtitles?: SubtitleTrack[];
  follows?: Follow[];
  charts?: Chart[];
  chartEntries?: ChartEntry[];
  history?: RecordHistory[];
}

/** Counters beside those of the records of a batch. */
export interface RecordHistory {
  kind: RecordKind;
  id: string;
  points: CounterPoint[];
}

export interface Changes {
  platform: PlatformName;
  records: RecordChange[];
  subtitles: SubtitleTrack[];
  follows: Follow[];
  chartEntries: ChartEntry[];
  /** Only of what no job writes: an undone job would leave it. */
  history?: RecordHistory[];
}

export interface WriteUnit {
  changes: readonly Changes[];
  merge: Merge;
  /**
   * Receives the counts of this unit alone, before the commit. Its result is committed too, so a job's progress always
   * matches its records. It may be called again if the transaction is.
   */
  checkpoint?: (counts: WriteCounts) => Checkpoint;
  /** The live source that returned them. The imported state of the records can be restored. */
  fetchedFrom?: string;
}

export interface RecordChange {
  kind: RecordKind;
  /** Comments only. */
  postId: string | null;
  /** The record as one capture shows it; written unmerged if the record is new. */
  incoming: EncodedRecord;
  /** The counters of this capture. */
  point: CounterPoint | null;
}

/** Merges an incoming record into the stored one. Pure. */
export type Merge = (kind: RecordKind, stored: AnyRecord, incoming: AnyRecord, platform: PlatformName) => AnyRecord;

export type WriteCounts = Partial<Record<ReportKind, KindCounts>>;

export interface Checkpoint {
  file: JobFile;
  rejects: Reject[];
  /** The file is being read from the start again: its earlier rejects are deleted. */
  restarted: boolean;
  /** Renewed in the same transaction. If the claim is lost, `ClaimLost` is thrown and nothing is written. */
  claim?: ClaimRenewal;
}
