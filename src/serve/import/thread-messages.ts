/**
 * The messages between the threads of an import, and to the one that computes trends. Each is checked where it is
 * received, but only its envelope: batches are too large to be checked in depth.
 */
import type { JobFile } from "#domain/job.ts";
import type { ImportRequest, Progress } from "#import/import-files.ts";
import type { ClaimRequest, ClaimResponse, ReadRequest, ReadStep } from "#import/read-files.ts";
import type { ImportReport } from "#import/report.ts";
import type { Config } from "#config";
import { createMessageCheck, isObject } from "../message-check.ts";

/** What of a request can be sent to another thread. */
export type ParserRequest = Omit<ReadRequest, "claims" | "onBytes">;

export type ToParser =
  | { kind: "read"; request: ParserRequest; prerender: boolean; activity: SharedArrayBuffer }
  /** Requests one more step. */
  | { kind: "next"; lostClaims: number[] }
  | { kind: "claimResponse"; response: ClaimResponse };

export type FromParser =
  /** Null at the end. */
  { kind: "step"; step: ReadStep | null } | { kind: "claimRequest"; request: ClaimRequest };

export interface ToWriter {
  kind: "import";
  config: Config;
  request: ImportRequest;
}

export interface ToTrendThread {
  kind: "refresh";
  config: Config;
  /** Unix milliseconds. */
  now: number;
}

export interface ImportFailure {
  name: string;
  message: string;
  stack?: string | undefined;
}

export type FromWriter =
  | { kind: "progress"; progress: Progress }
  | { kind: "fileDone"; file: JobFile }
  | { kind: "waiting"; files: string[] }
  | { kind: "outage" }
  | { kind: "report"; report: ImportReport }
  | { kind: "failed"; failure: ImportFailure };

const isBoolean = (value: unknown) => typeof value === "boolean";

function isStep(value: unknown): boolean {
  return value === null || (isObject(value) && (value["kind"] === "batch" || value["kind"] === "fileDone"));
}

function isClaimResponse(value: unknown): boolean {
  if (value === "busy" || value === "done") return true;
  return isObject(value) && typeof value["claimId"] === "number" && Array.isArray(value["previous"]);
}

export const checkToParser = createMessageCheck<ToParser>("parser thread", {
  read: { request: isObject, prerender: isBoolean, activity: (value) => value instanceof SharedArrayBuffer },
  next: { lostClaims: Array.isArray },
  claimResponse: { response: isClaimResponse },
});

export const checkFromParser = createMessageCheck<FromParser>("owner of the parser thread", {
  step: { step: isStep },
  claimRequest: { request: isObject },
});

export const checkToWriter = createMessageCheck<ToWriter>("writer thread", {
  import: { config: isObject, request: isObject },
});

export const checkToTrendThread = createMessageCheck<ToTrendThread>("trend thread", {
  refresh: { config: isObject, now: (value) => typeof value === "number" },
});

export const checkFromWriter = createMessageCheck<FromWriter>("owner of the writer thread", {
  progress: { progress: isObject },
  fileDone: { file: isObject },
  waiting: { files: Array.isArray },
  outage: {},
  report: { report: isObject },
  failed: { failure: isObject },
});
