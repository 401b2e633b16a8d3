/** Records each request once, when its response has ended. */
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { type ApiError, ERRORS } from "#errors";
import type { RecentError, RecentErrors } from "./admin/recent-errors.ts";
import type { Metrics } from "./metrics.ts";
import type { UsageCounter } from "./usage-counter.ts";

/** Not sent: the status that proxies, too, log for a client that gave up. */
const CLIENT_CLOSED_REQUEST = 499;

const PROBE_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

export interface RequestRecorders {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  usage: UsageCounter;
  errors: RecentErrors;
}

/** One line in the log, one count in metrics and usage, one span. */
export function recordRequest(
  services: RequestRecorders,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): void {
  request.isRecorded = true;
  const { elapsedTime } = reply;
  const { operation = "other", url } = request.routeOptions.config;
  const path = shownRoute(request);
  const keyId = request.principal?.keyId;
  services.metrics.record(operation, status, elapsedTime / 1000);
  if (keyId !== undefined) services.usage.count(keyId, operation, status, Date.now());
  if (request.problem !== null) services.errors.add(toRecentError(request, request.problem, path));
  request.span?.end({ route: path, operation, status, requestId: request.id, keyId });
  // Supervisors probe every second.
  const level = status < 400 && PROBE_PATHS.has(url) ? "debug" : "info";
  services.logger[level](
    {
      request_id: request.id,
      trace_id: request.traceId,
      method: request.method,
      path,
      key_id: keyId,
      status,
      ms: Math.round(elapsedTime * 1_000) / 1_000,
    },
    "request",
  );
}

/** Of a response that the client did not get to its end: the service failed, or the client closed the connection. */
export function unfinishedStatus({ problem }: FastifyRequest): number {
  return problem === null ? CLIENT_CLOSED_REQUEST : ERRORS[problem.code].status;
}

const NO_ROUTE = "(no such path)";
const NO_METHOD = "(no such method)";

/** For logs, errors and spans. A path that no route has may contain a secret or a name, so nothing of it is repeated. */
function shownRoute({ is404, problem, routeOptions }: FastifyRequest): string {
  if (!is404) return routeOptions.config.url;
  return problem?.code === "method_not_allowed" ? NO_METHOD : NO_ROUTE;
}

function toRecentError(request: FastifyRequest, problem: ApiError, path: string): RecentError {
  return {
    at: Date.now(),
    requestId: request.id,
    method: request.method,
    path,
    status: ERRORS[problem.code].status,
    code: problem.code,
    detail: request.is404 ? ERRORS[problem.code].title : problem.message,
    keyId: request.principal?.keyId ?? null,
  };
}
