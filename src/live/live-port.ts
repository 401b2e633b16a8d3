/** What the rest of the service sees of live sources. They run in a thread of their own, so everything is plain data. */
import type { PlatformName } from "#domain/record.ts";

/** Requests what an operation needs of the first source that can provide it, and imports the answer. */
export interface LiveSources {
  /** The first source that can fill the operation, on any platform unless one is given; null if none is on. */
  sourceOf(operation: string, platform?: PlatformName): string | null;
  ask(request: AskRequest): Promise<AskOutcome>;
  /** The last known state of each source that is on. */
  status(): readonly SourceStatus[];
}

export interface AskRequest {
  operation: string;
  /** As the client sent it. */
  input: Record<string, unknown>;
  /** A refresh is not made again within the maximum age; a fill, after a short while. */
  mode: "fill" | "refresh";
  /** Instead of those: not made again within this time. */
  minAgeMs?: number;
  /** A request that was not sent by then is not sent any more. */
  withinMs: number;
}

/** The platform that the input of an operation across platforms names. */
export function platformOf({ platform }: AskRequest["input"]): PlatformName | undefined {
  return typeof platform === "string" ? platform.toLowerCase() : undefined;
}

export type AskOutcome =
  /** The answer is imported. */
  | { state: "filled"; source: string; isShared: boolean }
  /** The source was asked, now or a moment ago, and has nothing. */
  | { state: "empty"; source: string }
  /** A source exists but did not answer. `reason` continues a sentence that begins with its name, in words that a header may have. */
  | { state: "unavailable"; source: string; reason: string; retryAfterS: number | null }
  /** No source can fill this input. */
  | { state: "none" };

export interface SourceStatus {
  name: string;
  /** `paused` after failures, `rejected` if the credentials are not accepted. */
  state: "ready" | "paused" | "rejected";
  /** Why it is paused. */
  detail: string | null;
  /** Unix milliseconds. */
  pausedUntil: number | null;
  calls: Record<CallResult, number>;
  retries: number;
  inProgress: number;
  waiting: number;
  budgets: BudgetStatus[];
}

export type CallResult = "answered" | "missing" | "failed";

export interface BudgetStatus {
  name: string;
  title: string;
  used: number;
  limit: number;
}

/** A source, whether it is on or not. */
export interface SourceInfo {
  name: string;
  title: string;
  platform: string;
  /** `on`, `off`, or `incomplete` if a credential is missing. */
  state: "on" | "off" | "incomplete";
  /** The settings that are missing. */
  missing: string[];
  operations: string[];
  budgets: (BudgetStatus & { resetsInS: number | null })[];
  /** Its records are deleted when they are older. */
  retentionDays: number | null;
  terms: string;
}
