/** W3C trace context: continues the client's trace with a new span. */
import { randomBytes } from "node:crypto";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface Trace {
  traceId: string;
  /** The response header. */
  traceparent: string;
}

/** The client's span. */
export interface ParentSpan {
  traceId: string;
  spanId: string;
  /** Two hexadecimal digits. */
  flags: string;
}

/** Null for a missing or malformed header, which the standard says to ignore. */
export function parseTraceparent(header: unknown): ParentSpan | null {
  const match = typeof header === "string" ? TRACEPARENT.exec(header) : null;
  if (match === null) return null;
  const [, traceId = "", spanId = "", flags = ""] = match;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId, flags };
}

export function continueTrace({ traceId, flags }: ParentSpan): Trace {
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-${flags}` };
}

/** Makes spans of requests, for a service that sends traces. */
export interface RequestTracer {
  start(method: string, parent: ParentSpan | null): RequestSpan;
}

export interface RequestSpan extends Trace {
  /** Runs the work in a span of its own, below that of the request. */
  measure<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  end(response: {
    route: string;
    operation: string;
    status: number;
    requestId: string;
    keyId: string | undefined;
  }): void;
}
