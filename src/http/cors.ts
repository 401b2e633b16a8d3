/** CORS: pages of the origins in CORS_ORIGINS may read responses. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { TRENDS_DAY_HEADER } from "#errors";
import {
  CHART_DAY_HEADER,
  CORRECTION_HEADER,
  IGNORED_HEADER,
  IGNORED_TERMS_HEADER,
  MATCHED_HEADER,
  NEWEST_CAPTURE_HEADER,
  TRENDS_AS_OF_HEADER,
} from "#api/response-headers.ts";

const EXPOSED_HEADERS = `Cache-Status, ETag, Last-Modified, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Api-Version, Preference-Applied, ${CORRECTION_HEADER}, ${MATCHED_HEADER}, ${IGNORED_TERMS_HEADER}, ${CHART_DAY_HEADER}, ${TRENDS_AS_OF_HEADER}, ${TRENDS_DAY_HEADER}, ${NEWEST_CAPTURE_HEADER}, ${IGNORED_HEADER}`;
const ALLOWED_HEADERS =
  "Authorization, Content-Type, If-None-Match, Prefer, Api-Version, X-Request-Id, Traceparent, Mcp-Protocol-Version";

/** Returns whether the request's origin is allowed. */
export function setCorsHeaders(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origins.length > 0) reply.header("vary", "Origin");
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS });
  if (request.method === "OPTIONS")
    reply.headers({ "access-control-allow-headers": ALLOWED_HEADERS, "access-control-max-age": "600" });
  return true;
}
