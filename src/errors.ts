/**
 * Every way a request can fail: code, HTTP status, number, one sentence for the outside. docs/errors.md lists exactly
 * this table. The cause of an error belongs to the log and never reaches a caller.
 */

interface ErrorRow {
  status: number;
  /** `statusCode` of the body: HTTP status x 100 + n, save the two numbers that the platforms themselves use. */
  number: number;
  title: string;
  /** For docs/errors.md: what a caller should do about it. */
  remedy: string;
}

export const ERRORS = {
  missing_parameter: {
    status: 400,
    number: 40001,
    title: "A required parameter is missing",
    remedy: "Send the parameter that `errors` names, in the place it names.",
  },
  invalid_parameter: {
    status: 400,
    number: 40002,
    title: "A parameter has a value that is not allowed",
    remedy: "Compare the value with the limit in `detail`.",
  },
  repeated_parameter: {
    status: 400,
    number: 40003,
    title: "A parameter was sent more than once",
    remedy: "Send it once.",
  },
  invalid_cursor: {
    status: 400,
    number: 40004,
    title: "This page token is not one of ours, was changed, or has expired",
    remedy: "Start again without it; tokens live 24 hours and belong to one operation and its parameters.",
  },
  invalid_body: {
    status: 400,
    number: 40005,
    title: "The request body cannot be read",
    remedy: "Send a well-formed multipart, URL-encoded or JSON body.",
  },
  token_in_query: {
    status: 400,
    number: 40006,
    title: "Tokens do not belong in an address",
    remedy: "Send `Authorization: Bearer <token>`; then rotate the token, since addresses are logged.",
  },
  unknown_version: {
    status: 400,
    number: 40007,
    title: "This API version does not exist",
    remedy: "Leave out `Api-Version`, or name the one in every answer's header.",
  },
  malformed_request: {
    status: 400,
    number: 40008,
    title: "This is not a well-formed HTTP request",
    remedy: "Check the address and the headers that the client sends.",
  },
  missing_token: {
    status: 401,
    number: 40101,
    title: "A bearer token is required",
    remedy: "Send `Authorization: Bearer <token>`; make one with `npx triptych token create`.",
  },
  invalid_token: {
    status: 401,
    number: 40102,
    title: "This token is not valid",
    remedy: "It may be mistyped, expired or revoked; make a new one with `npx triptych token create`.",
  },
  insufficient_scope: {
    status: 403,
    number: 40301,
    title: "This token may not do that",
    remedy: "Use a token with the scope that `detail` names.",
  },
  ingest_forbidden: {
    status: 403,
    number: 40302,
    title: "This address may not bring data in",
    remedy: "Use `/ingest/<token>` with a token that has the scope `ingest`.",
  },
  post_not_found: {
    status: 404,
    number: 10204,
    title: "No such post is held",
    remedy: "Check the id; import the post if you have it.",
  },
  account_not_found: {
    status: 404,
    number: 10221,
    title: "No such account is held",
    remedy: "Check the name; import the account if you have it.",
  },
  sound_not_found: {
    status: 404,
    number: 40401,
    title: "No such sound is held",
    remedy: "Check the id; import posts that use the sound.",
  },
  hashtag_not_found: {
    status: 404,
    number: 40402,
    title: "No such hashtag is held",
    remedy: "Check the spelling; case, marks and a leading # do not matter.",
  },
  unknown_path: {
    status: 404,
    number: 40403,
    title: "There is no such path",
    remedy: "The paths are listed at /docs and in /openapi.json.",
  },
  unknown_source: {
    status: 404,
    number: 40404,
    title: "Captures of this platform are not read",
    remedy: "docs/importing.md lists what is.",
  },
  method_not_allowed: {
    status: 405,
    number: 40501,
    title: "This path does not take that method",
    remedy: "Use a method of the `Allow` header.",
  },
  not_acceptable: {
    status: 406,
    number: 40601,
    title: "Answers are JSON only",
    remedy: "Send `Accept: application/json`, or no Accept header.",
  },
  request_timeout: {
    status: 408,
    number: 40801,
    title: "The request did not arrive in time",
    remedy: "Send headers within 10 s and the whole request within 15 s.",
  },
  body_too_large: {
    status: 413,
    number: 41301,
    title: "The request body is too large",
    remedy: "Send at most 64 KiB.",
  },
  uri_too_long: { status: 414, number: 41401, title: "The address is too long", remedy: "Send at most 8 KiB." },
  unsupported_media_type: {
    status: 415,
    number: 41501,
    title: "Bodies of this type are not read",
    remedy: "Send multipart/form-data, application/x-www-form-urlencoded or application/json.",
  },
  expectation_failed: {
    status: 417,
    number: 41701,
    title: "This expectation cannot be met",
    remedy: "Leave out the `Expect` header, or send `100-continue`.",
  },
  rate_limited: {
    status: 429,
    number: 42901,
    title: "Too many requests for this token",
    remedy: "Wait as long as `Retry-After` says.",
  },
  too_many_concurrent: {
    status: 429,
    number: 42902,
    title: "Too many concurrent requests for this token",
    remedy: "Wait for running requests to finish.",
  },
  headers_too_large: {
    status: 431,
    number: 43101,
    title: "The request headers are too large",
    remedy: "Send at most 16 KiB.",
  },
  internal: {
    status: 500,
    number: 50001,
    title: "Something went wrong on our side",
    remedy: "Report it with the `request_id`.",
  },
  service_unavailable: {
    status: 503,
    number: 50301,
    title: "The service cannot answer just now",
    remedy: "Try again after the seconds in `Retry-After`.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** What was wrong with one parameter, and where it was looked for. */
export interface ParameterError {
  in: "query" | "body" | "header";
  parameter: string;
  reason: string;
}

/** An error that a caller may see. `detail` says what was wrong, where, and what would be right. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly errors: ParameterError[];
  /** Headers that belong to the answer, such as Retry-After. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: ParameterError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "ApiError";
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

/** For what will pass by itself, soon. */
export function unavailable(detail: string, cause: unknown): ApiError {
  return new ApiError("service_unavailable", detail, { headers: { "retry-after": "1" }, cause });
}

/** The body of every failing answer: RFC 9457 with the platforms' own members beside. */
export function problem(error: ApiError, requestId: string): object {
  const row = ERRORS[error.code];
  return {
    type: `/docs/errors#${error.code}`,
    title: row.title,
    status: row.status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    errors: error.errors,
    statusCode: row.number,
    status_code: row.number,
    statusMsg: error.message,
    status_msg: error.message,
  };
}
