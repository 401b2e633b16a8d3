/**
 * What was requested of live sources: units spent of each budget, calls in progress and when each request was last made.
 * All processes on a store share it, so that together they respect a source's limits.
 */
import type { PlatformName, RecordKind } from "#domain/record.ts";

export interface SourceLedger {
  /** Counts a call before it is made: all of its charges or none. The call counts whatever becomes of it. */
  startCall(call: SourceCall): Promise<CallDecision>;
  /** Frees the slot of a call. */
  endCall(source: string, id: string): Promise<void>;
  /** The source says that a budget is used up: nothing more is granted in this period. */
  exhaust(account: SourceAccount, charge: BudgetCharge): Promise<void>;
  listUse(): Promise<BudgetUse[]>;
  /** Decides who makes each request: a process that starts one holds it until it ends it, or until its lease expires. */
  startFetches(fetches: readonly FetchStart[], lease: FetchLease): Promise<FetchDecision[]>;
  endFetches(fetches: readonly FetchEnd[]): Promise<void>;
  /** Records of a source that were last captured before this time, the oldest first. Accounts without a post are left out. */
  listAged(captured: CapturedBy, beforeMs: number, page: AgedPage): Promise<AgedRecord[]>;
  /** Forgets what ended before this time. */
  prune(beforeMs: number): Promise<void>;
}

/** Budgets are per key of a source: `account` is a fingerprint of the key. */
export interface SourceAccount {
  source: string;
  account: string;
}

export interface BudgetCharge {
  budget: string;
  /** A day such as `2026-11-16`; empty for a rolling window. */
  period: string;
  units: number;
  limit: number;
  /** Of a rolling window: an item counts once. */
  item: string | null;
  windowMs: number;
}

export interface SourceCall extends SourceAccount {
  id: string;
  charges: readonly BudgetCharge[];
  /** Of this source, in all processes. */
  maxConcurrent: number;
  /** After this long, the slot of a process that died is free. */
  leaseMs: number;
}

export type CallDecision =
  | { state: "granted" }
  /** As many calls as allowed are in progress. */
  | { state: "busy" }
  | { state: "exhausted"; budget: string; used: number; limit: number };

/** Of a day, or of one item of a rolling window. */
export interface BudgetUse extends SourceAccount {
  budget: string;
  period: string;
  used: number;
  /** When it was last charged, Unix milliseconds. */
  at: number;
}

export interface CapturedBy {
  platform: PlatformName;
  kind: RecordKind;
  source: string;
}

export interface AgedPage {
  limit: number;
  /** The last record of the page before. */
  after?: AgedRecord | undefined;
}

export interface AgedRecord {
  capturedAt: number;
  id: string;
}

export interface FetchStart {
  source: string;
  request: string;
  /** Not made again within this time. */
  minAgeMs: number;
}

export interface FetchLease {
  owner: string;
  leaseMs: number;
}

export type FetchResult = "filled" | "empty";

export type FetchDecision =
  | { state: "started" }
  | { state: "running" }
  | { state: "recent"; result: FetchResult; endedAt: number };

/** Without a result, the request failed and may be made again. */
export interface FetchEnd {
  source: string;
  request: string;
  result: FetchResult | null;
}
