/** W3C trace context: continues the client's trace with a new span. */
import { randomBytes } from "node:crypto";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Trace {
  traceId: string;
  /** The response header. */
  traceparent: string;
}

/** Null for a missing or malformed header, which the standard says to ignore. */
export function continueTrace(header: unknown): Trace | null {
  const match = typeof header === "string" ? TRACEPARENT.exec(header) : null;
  if (match === null) return null;
  const [, traceId = "", parentId = "", flags = ""] = match;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-${flags}` };
}
