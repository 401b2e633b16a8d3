/** W3C trace context: a caller's trace goes on under its id, with a span of our own. */
import { randomBytes } from "node:crypto";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Trace {
  traceId: string;
  /** Header for the answer. */
  traceparent: string;
}

/** Null for an absent or malformed header, which the standard says to ignore. */
export function continueTrace(header: unknown): Trace | null {
  const parts = typeof header === "string" ? TRACEPARENT.exec(header) : null;
  const [, traceId = "", parent = "", flags = ""] = parts ?? [];
  if (parts === null || /^0+$/.test(traceId) || /^0+$/.test(parent)) return null;
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-${flags}` };
}
