/** Cross-origin pages may call only if the operator named their origin. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { CORRECTION_HEADER } from "#api/correction.ts";

const EXPOSED = `Cache-Status, ETag, Last-Modified, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Api-Version, Preference-Applied, ${CORRECTION_HEADER}`;
const ALLOWED = "Authorization, Content-Type, If-None-Match, Prefer, Api-Version, X-Request-Id, Traceparent";

/** Adds the headers that let the origin read the answer; false when the origin may not. */
export function registerCors(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  const { origin } = request.headers;
  if (origins.length > 0) reply.header("vary", "Origin");
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED });
  if (request.method === "OPTIONS")
    reply.headers({ "access-control-allow-headers": ALLOWED, "access-control-max-age": "600" });
  return true;
}
