/** Rejects requests that are wrong whatever their path: forms that RFC 9112 refuses, and sizes that no client needs. */
import type { FastifyRequest } from "fastify";
import { ApiError } from "#errors";
import { API_VERSION } from "./api-version.ts";

export const MAX_URL_LENGTH = 8 * 1024;
const MAX_HEADERS = 100;

/** A name or address with an optional port (RFC 3986); may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d{0,5})?$/;

export function checkRequest({ raw, headers }: FastifyRequest): void {
  const length = raw.url?.length ?? 0;
  if (length > MAX_URL_LENGTH)
    throw new ApiError("uri_too_long", `URL too long: ${length} characters, the maximum is ${MAX_URL_LENGTH}`);
  // node:http also parses 0.9 and 2.0, which are no versions of this protocol.
  if (raw.httpVersionMajor !== 1) throw new ApiError("malformed_request", "the request must be HTTP/1.1 or HTTP/1.0");
  if (raw.rawHeaders.length > 2 * MAX_HEADERS)
    throw new ApiError("headers_too_large", `a request must have at most ${MAX_HEADERS} headers`);
  checkHost(raw.rawHeaders, raw.httpVersion);
  const version = headers["api-version"];
  if (version !== undefined && version !== API_VERSION)
    throw new ApiError("unknown_version", `Api-Version must be ${API_VERSION}`, {
      errors: [{ in: "header", parameter: "Api-Version", reason: `must be ${API_VERSION}` }],
    });
}

/** Servers and proxies in front would choose differently among several. */
function checkHost(rawHeaders: readonly string[], httpVersion: string): void {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    if (!HOST.test(rawHeaders[index + 1] ?? ""))
      throw new ApiError("malformed_request", "the Host header is malformed");
  }
  if (hosts > 1) throw new ApiError("malformed_request", "a request must have one Host header");
  if (hosts === 0 && httpVersion === "1.1")
    throw new ApiError("malformed_request", "an HTTP/1.1 request must have a Host header");
}
