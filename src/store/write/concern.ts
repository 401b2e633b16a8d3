/**
 * The verbs of a concern. An operation on everything that is stored, such as an erasure, calls the same verb of each concern
 * in concerns.ts within one unit of work. A concern leaves out the verbs that do not affect its rows.
 */
import type { ReportKind } from "#domain/job.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Expiry, RetentionKind } from "#domain/retention.ts";
import type { Steps } from "#store/sql/sql.ts";
import type { Image, RowKey } from "#store/undo/port.ts";
import type { ErasureResult, Merge } from "./port.ts";
import type { KeyColumns, RecordSteps } from "./unit.ts";

export interface Concern {
  /** Its rows, if they are no records and imports write them. */
  rows?: KeyedRows;
  /** Deletes the selected rows. */
  remove?: (unit: RecordSteps, selection: Selection) => Steps<Removal[]>;
  /** Deletes what is derived from rows that were removed. */
  forget?: (unit: RecordSteps, removed: RemovedRows) => Steps<void>;
  /** Counts the rows that are due. */
  count?: (unit: RecordSteps, expiry: Expiry) => Steps<number>;
  /** Finds rows that may name a person: more than `scrub` changes. Called without a lock. */
  findMentions?: (unit: RecordSteps, sought: Sought) => Steps<Mention[]>;
  /** Removes erased people from rows that stay, and adds the number of changed rows to the result. */
  scrub?: (unit: RecordSteps, scrubbing: Scrubbing, result: ErasureResult) => Steps<void>;
  /** Moves everything that refers to an account to another id. */
  rekey?: (unit: RecordSteps, rekeying: Rekeying) => Steps<void>;
}

/** Kinds of rows that a key of several columns identifies, each in a table of its own. */
export type DependentKind = Exclude<ReportKind, RecordKind> | "comment";

export interface KeyedRows {
  kind: DependentKind;
  table: string;
  /** The columns that identify a row beside its platform. */
  key: readonly string[];
  /** The columns that name an erased record to which a row belongs. */
  owners: Partial<Record<ErasedKind, readonly string[]>>;
  /** Present if the engine has the key in other columns. */
  columnsOf?: (unit: RecordSteps) => KeyColumns;
}

/** The kinds of record that can be erased. */
export type ErasedKind = "account" | "post" | "comment" | "sound";

export type Selection =
  /** Erased records and what belongs to them, such as the comments on a post. Posts of accounts are selected as posts. */
  | { of: ErasedKind; platform: PlatformName; ids: readonly string[] }
  /** Rows by their keys in the undo log. */
  | { kind: ReportKind; platform: PlatformName; keys: readonly string[] }
  | { source: string }
  | { expiry: Expiry; limit: number };

export interface Removal {
  kind: RetentionKind;
  count: number;
  /** Empty for the history of counters, from which nothing else is derived. */
  rows: readonly RemovedRow[];
}

export interface RemovedRow {
  platform: PlatformName;
  /** The key in the undo log. */
  key: string;
  /** JSON; absent unless the row is a record. */
  header?: string;
}

export interface RemovedRows {
  platform: PlatformName;
  kind: ReportKind;
  rows: readonly RemovedRow[];
}

export interface Sought {
  platform: PlatformName;
  /** Patterns of LIKE. */
  patterns: readonly string[];
  soundIds: readonly string[];
}

/** A row by its key in the undo log. */
export type Mention = { [Kind in ReportKind]: { kind: Kind; key: RowKey<Kind> } }[ReportKind];

export interface Scrubbing {
  platform: PlatformName;
  mentions: readonly Mention[];
  /** The kinds of the erased records. */
  erased: readonly ErasedKind[];
  rules: ScrubRules;
  /** Null if no names are known. */
  history: HistoryRules | null;
}

/** Rules for removing erased people from what is stored. A text that names nobody is returned as it was. */
export interface ScrubRules {
  json: (text: string) => string;
  text: (text: string) => string;
  /** Null if the image was of somebody erased. */
  image: (kind: ReportKind, image: string) => Image;
}

/** The same for the history of imports. */
export interface HistoryRules {
  /** Whether a text names what is being erased. */
  isTheirs: (text: string) => boolean;
  /** Whether a text names that or something erased before. */
  isNamed: (text: string) => boolean;
  /** Replaces a text that is erased as a whole. */
  erasedText: string;
  fileName: (number: number) => string;
  label: (label: string) => string;
  reason: (reason: string) => string;
}

export interface Rekeying {
  platform: PlatformName;
  from: string;
  to: string;
  merge: Merge;
}
