/**
 * What a failure says of the server that it came from. Whoever asks a store is not told of servers: it hears that the
 * store cannot answer just now, and when to try again.
 */
import { ApiError, unavailable } from "#errors";

/**
 * `away`: the server cannot be used, another may answer. `busy`: it answers others, but not this one now. `late`: the
 * time for an answer is over.
 */
export type ConnectionError = "away" | "busy" | "late";

/** A server that is known not to answer is not asked. */
export class ServerUnavailable extends Error {
  override name = "ServerUnavailable";
}

/** More wait for a connection than will get one in time. */
export class PoolExhausted extends Error {
  override name = "PoolExhausted";
}

export class QueryTimeout extends Error {
  override name = "QueryTimeout";
}

/** SQLSTATE or the system's own names; whole classes by their first two letters. */
const FAULTS: Record<string, ConnectionError> = {
  "08": "away",
  "57P01": "away",
  "57P02": "away",
  "57P03": "away",
  "57P05": "away",
  // Written to while it follows another: it was the primary, or will be.
  "25006": "away",
  "53300": "busy",
  // On a replica: the rows that were being read are gone from the primary.
  "40001": "busy",
  "40P01": "busy",
  "57014": "late",
  ECONNREFUSED: "away",
  ECONNRESET: "away",
  ECONNABORTED: "away",
  EPIPE: "away",
  ETIMEDOUT: "away",
  ENOTFOUND: "away",
  EAI_AGAIN: "away",
  EHOSTUNREACH: "away",
  EHOSTDOWN: "away",
  ENETUNREACH: "away",
  ENETDOWN: "away",
};

/** The driver's own words have no codes. */
const SAID: readonly [RegExp, ConnectionError][] = [
  [/timeout exceeded when trying to connect/i, "busy"],
  [/connection terminated|timeout expired|query read timeout|not queryable/i, "away"],
];

/** Null for failures that are not the server's: they would be the same anywhere. */
export function classify(error: unknown): ConnectionError | null {
  if (error instanceof ServerUnavailable) return "away";
  if (error instanceof PoolExhausted) return "busy";
  if (error instanceof QueryTimeout) return "late";
  if (!(error instanceof Error) || error instanceof ApiError) return null;
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return classify(error.errors[0]);
  const { code } = error as { code?: string };
  if (code !== undefined) return FAULTS[code] ?? FAULTS[code.slice(0, 2)] ?? null;
  return SAID.find(([words]) => words.test(error.message))?.[1] ?? null;
}

const SENTENCES: Record<ConnectionError, string> = {
  away: "the store cannot be reached just now; try again in 1 s",
  busy: "the store has more to do than it can just now; try again in 1 s",
  late: "the store took too long (statement timeout); try again in 1 s",
};

/** What a caller is told of a failure. */
export function toApiError(error: unknown): unknown {
  const fault = classify(error);
  return fault === null ? error : unavailable(SENTENCES[fault], error);
}
