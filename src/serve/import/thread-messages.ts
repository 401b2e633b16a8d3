/**
 * The messages to and from the thread that writes, the parser threads of imports, and the one that computes trends. Each is
 * checked where it is received, but only its envelope: batches are too large to be checked in depth.
 */
import type { AuditEvent } from "#domain/audit.ts";
import type { JobFile } from "#domain/job.ts";
import type { ImportRequest, Progress } from "#import/import-files.ts";
import type { ClaimRequest, ClaimResponse, ReadRequest, ReadStep } from "#import/read-files.ts";
import type { StoreEvent } from "#store/write/events.ts";
import type { Config } from "#config";
import { createMessageCheck, isNumber, isObject, isString } from "#domain/message-check.ts";
import { type WritePort, WRITES } from "../store-writes.ts";
import type { ThreadFailure } from "../thread-failure.ts";

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

/** Without the number of the call. */
export type StoreThreadRequest =
  | { kind: "import"; request: ImportRequest }
  | { kind: "call"; port: WritePort; method: string; args: unknown[] }
  | { kind: "audit"; event: AuditEvent }
  /** Imports give up their claims and write nothing more. */
  | { kind: "stop" };

export interface StoreThreadData {
  kind: "write";
  config: Config;
}

export type ToStoreThread =
  | (StoreThreadRequest & { id: number })
  /** After what was requested before. */
  | { kind: "close" };

export interface ToTrendThread {
  kind: "refresh";
  config: Config;
  /** Unix milliseconds. */
  now: number;
  /** The earlier day that rankings are computed as of, in days since 1970; null for today. */
  asOf: number | null;
}

export type FromStoreThread =
  | { kind: "progress"; id: number; progress: Progress }
  | { kind: "fileDone"; id: number; file: JobFile }
  | { kind: "waiting"; id: number; files: string[] }
  | { kind: "outage"; id: number }
  | { kind: "result"; id: number; result: unknown }
  | { kind: "failed"; id: number; failure: ThreadFailure }
  | { kind: "storeEvent"; event: StoreEvent };

const isBoolean = (value: unknown) => typeof value === "boolean";
const isWritePort = (value: unknown) => typeof value === "string" && Object.hasOwn(WRITES, value);

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

export const checkStoreThreadData = createMessageCheck<StoreThreadData>("store thread", {
  write: { config: isObject },
});

export const checkToStoreThread = createMessageCheck<ToStoreThread>("store thread", {
  import: { id: isNumber, request: isObject },
  call: { id: isNumber, port: isWritePort, method: isString, args: Array.isArray },
  audit: { id: isNumber, event: isObject },
  stop: { id: isNumber },
  close: {},
});

export const checkToTrendThread = createMessageCheck<ToTrendThread>("trend thread", {
  refresh: { config: isObject, now: isNumber, asOf: (value) => value === null || isNumber(value) },
});

export const checkFromStoreThread = createMessageCheck<FromStoreThread>("owner of the store thread", {
  progress: { id: isNumber, progress: isObject },
  fileDone: { id: isNumber, file: isObject },
  waiting: { id: isNumber, files: Array.isArray },
  outage: { id: isNumber },
  result: { id: isNumber, result: () => true },
  failed: { id: isNumber, failure: isObject },
  storeEvent: { event: isObject },
});
