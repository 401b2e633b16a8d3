/** Classifies failures of a server, and says in an API error when to retry. Clients are told of no particular server. */
import { errorCode } from "#domain/error-code.ts";
import { ApiError, unavailable } from "#errors";

/**
 * `unavailable`: the server cannot be used, another may be. `busy`: it serves others, but not this query now.
 * `partial`: it has lost a machine with some of the rows, and serves the others. `timeout`: the time allowed for the
 * query is over.
 */
export type FailureKind = "unavailable" | "busy" | "partial" | "timeout";

export class ConnectionError extends Error {
  override name = "ConnectionError";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A write reached a standby, so the primary was demoted or is not promoted yet; or a primary that takes no writes. */
const READ_ONLY = "25006";

/** SQLSTATE codes or classes (their first two characters), and Node's error codes. */
const KIND_BY_CODE: Record<string, FailureKind> = {
  "08": "unavailable",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "57P05": "unavailable",
  [READ_ONLY]: "unavailable",
  "53300": "busy",
  // On a replica: the rows being read were removed on the primary.
  "40001": "busy",
  "40P01": "busy",
  "57014": "timeout",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  ECONNABORTED: "unavailable",
  EPIPE: "unavailable",
  ETIMEDOUT: "unavailable",
  ENOTFOUND: "unavailable",
  EAI_AGAIN: "unavailable",
  EHOSTUNREACH: "unavailable",
  EHOSTDOWN: "unavailable",
  ENETUNREACH: "unavailable",
  ENETDOWN: "unavailable",
};

/** The driver's own errors have no code. */
const KIND_BY_MESSAGE: readonly [RegExp, FailureKind][] = [
  [/timeout exceeded when trying to connect/i, "busy"],
  [/connection terminated|timeout expired|query read timeout|not queryable/i, "unavailable"],
];

/** Null for failures that any server would report, such as a wrong statement. */
export function classify(error: unknown): FailureKind | null {
  if (error instanceof ConnectionError) return error.kind;
  if (!(error instanceof Error) || error instanceof ApiError) return null;
  // A host with several IP addresses fails with one error for each.
  if (error instanceof AggregateError) return classify(error.errors[0]);
  const code = errorCode(error);
  // Reported by a server over a connection that works: it is a Citus coordinator that cannot reach a worker.
  if (code?.startsWith("08") === true && "severity" in error && error.severity === "ERROR") return "partial";
  if (code !== undefined) return KIND_BY_CODE[code] ?? KIND_BY_CODE[code.slice(0, 2)] ?? null;
  return KIND_BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1] ?? null;
}

export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === READ_ONLY;
}

const DETAILS: Record<FailureKind, string> = {
  unavailable: "the database is unreachable; retry in 1 s",
  busy: "the database is overloaded; retry in 1 s",
  partial: "a part of the database is unreachable; retry in 1 s",
  timeout: "the database took too long (statement timeout); retry in 1 s",
};

export function toStoreError(error: unknown): unknown {
  const kind = classify(error);
  return kind === null ? error : unavailable(DETAILS[kind], error);
}
