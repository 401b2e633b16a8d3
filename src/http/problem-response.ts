/** Turns every failure into a problem response from the table in errors.ts. Its cause goes to the log, never to the client. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { redactTokens } from "#auth/token-format.ts";
import { errorCode } from "#domain/error-code.ts";
import { STORAGE_FAULTS, type StorageFault, storageFaultOf } from "#domain/storage-fault.ts";
import { ApiError, ERRORS, type ErrorCode, internalError, isFailure, problem } from "#errors";
import { API_VERSION } from "./api-version.ts";
import { reset } from "./connection-guard.ts";

const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

/** Failures that Fastify finds before our code runs. */
const FRAMEWORK_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "the Content-Type must be multipart/form-data, application/x-www-form-urlencoded or application/json",
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ["body_too_large", "the request body must have at most 65536 bytes"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["malformed_request", "the length of the body does not match Content-Length"],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["invalid_body", "the request body is empty"],
  // The parser knows one method that the router does not: that of HTTP/2's preface.
  FST_ERR_NOT_FOUND: ["malformed_request", "PRI is no method of HTTP/1.1"],
  FST_ERR_BAD_URL: ["malformed_request", "the path has a malformed percent-encoding"],
};

/** What clients are told of a disk or store that fails, and when to retry. */
const STORAGE_PROBLEMS: Record<StorageFault, [code: ErrorCode, detail: string, retryAfterS: number | null]> = {
  full: ["insufficient_storage", "no space left on the server; retry in 60 s, when there is room", 60],
  io: ["service_unavailable", "the server's disk reported an error; retry in 30 s", 30],
  damaged: ["internal", "the store is damaged; the log says what to do", null],
  locked: ["service_unavailable", "the store is locked by another program; retry in 1 s", 1],
};

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const fault = storageFaultOf(error);
  if (fault !== null) {
    const [code, detail, retryAfterS] = STORAGE_PROBLEMS[fault];
    const retry = retryAfterS === null ? null : { headers: { "retry-after": String(retryAfterS) } };
    return new ApiError(code, detail, { ...retry, cause: error });
  }
  const known = FRAMEWORK_ERRORS[errorCode(error) ?? ""];
  if (known !== undefined) return new ApiError(known[0], known[1], { cause: error });
  return internalError(error);
}

export const BODY_TIMEOUT_MS = 15_000;

export function bodyTimeout(): ApiError {
  return new ApiError("request_timeout", `the request body did not arrive within ${BODY_TIMEOUT_MS / 1000} s`);
}

/** Whether the client closed the connection within its body. A file that cannot be written has another code. */
function isBrokenOff({ raw }: FastifyRequest, error: unknown): boolean {
  return error === raw.errored && errorCode(error) === "ECONNRESET";
}

function bodyEndedEarly(cause: unknown): ApiError {
  return new ApiError("invalid_body", "the request body ended early", { cause });
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const known = reportProblem(request, isBrokenOff(request, error) ? bodyEndedEarly(error) : error);
  const { status } = ERRORS[known.code];
  dropStreamHeaders(reply);
  reply.headers(known.headers).headers({ "cache-control": "no-store", "content-type": PROBLEM_TYPE });
  // The rest of the body is not read, or what follows may be no request: the connection cannot be used again.
  if ([413, 431, 507].includes(status) || known.code === "malformed_request") reply.header("connection", "close");
  return reply.code(status).send(redactTokens(JSON.stringify(problem(known, request.id))));
}

/** For the log and the recent errors. Returns what the client may know. */
export function reportProblem(request: FastifyRequest, error: unknown): ApiError {
  const known = toApiError(error);
  request.problem = known;
  // Overload is counted and logged once a minute, not with every request that it meets.
  if (isFailure(known.code)) logFailure(request, known);
  return known;
}

/** Those of a stream that failed before its first byte: the problem is no part of it. */
function dropStreamHeaders(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  for (const name of ["content-disposition", "trailer", "transfer-encoding"]) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

/** A full disk is expected, and one sentence says it all; of other failures the log has the stack. */
function logFailure(request: FastifyRequest, error: ApiError): void {
  const fault = storageFaultOf(error);
  const fields = { request_id: request.id, ...(fault !== "full" && { err: error.cause ?? error }) };
  request.log.error(fields, fault === null ? "request failed" : STORAGE_FAULTS[fault]);
}

/** For requests that node:http cannot parse: writes the response to the socket directly. The caller ends it. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    reset(socket);
    return;
  }
  const { code, detail } = describeClientError(error.code);
  const { status } = ERRORS[code];
  const body = JSON.stringify(problem(new ApiError(code, detail), requestId));
  socket.write(
    [
      `HTTP/1.1 ${status} ${ERRORS[code].title}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `Api-Version: ${API_VERSION}`,
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

/** For an `Expect` header other than 100-continue, to which Node would respond with an empty body. */
export function respondToExpectation(response: ServerResponse, requestId: string): void {
  const error = new ApiError("expectation_failed", "only Expect: 100-continue is supported");
  response
    .writeHead(ERRORS.expectation_failed.status, {
      "content-type": PROBLEM_TYPE,
      "x-request-id": requestId,
      "api-version": API_VERSION,
      "cache-control": "no-store",
      connection: "close",
    })
    .end(JSON.stringify(problem(error, requestId)));
}

function describeClientError(code: string | undefined): { code: ErrorCode; detail: string } {
  if (code === "HPE_HEADER_OVERFLOW")
    return { code: "headers_too_large", detail: "URL and headers together must have at most 16 KiB" };
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return {
      code: "request_timeout",
      detail: "the request did not arrive in time: 10 s for its headers, 15 s for all of it",
    };
  return { code: "malformed_request", detail: "not a well-formed HTTP/1.1 request" };
}
