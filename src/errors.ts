/**
 * Every error a client can get: code, HTTP status, number and title. docs/errors.md is generated from this table. The
 * cause of an error goes to the log, never to the client.
 */

interface ErrorRow {
  status: number;
  /** `statusCode` of the body: HTTP status × 100 + n, except for two numbers that the platforms themselves use. */
  number: number;
  title: string;
  /** For docs/errors.md: what the client should do. */
  remedy: string;
}

export const ERRORS = {
  missing_parameter: {
    status: 400,
    number: 40001,
    title: "Required parameter missing",
    remedy: "Send the parameter named in `errors`, in the location named there.",
  },
  invalid_parameter: {
    status: 400,
    number: 40002,
    title: "Invalid parameter value",
    remedy: "Send a value that `detail` allows.",
  },
  repeated_parameter: {
    status: 400,
    number: 40003,
    title: "Parameter sent more than once",
    remedy: "Send it once.",
  },
  invalid_cursor: {
    status: 400,
    number: 40004,
    title: "Invalid or expired page token",
    remedy: "Start again without it. A page token is valid for 24 hours, for the same operation and parameters.",
  },
  invalid_body: {
    status: 400,
    number: 40005,
    title: "Malformed request body",
    remedy: "Send a well-formed multipart, URL-encoded or JSON body.",
  },
  token_in_query: {
    status: 400,
    number: 40006,
    title: "Tokens must not be sent in the URL",
    remedy: "Send `Authorization: Bearer <token>`, and rotate the token: URLs are logged.",
  },
  unknown_version: {
    status: 400,
    number: 40007,
    title: "Unknown API version",
    remedy: "Omit `Api-Version`, or send the version that responses carry in this header.",
  },
  malformed_request: {
    status: 400,
    number: 40008,
    title: "Malformed HTTP request",
    remedy: "Check the URL and the headers that the client sends.",
  },
  missing_token: {
    status: 401,
    number: 40101,
    title: "Access token missing",
    remedy: "Send `Authorization: Bearer <token>`; create a token with `triptych token create --label notebook`.",
  },
  invalid_token: {
    status: 401,
    number: 40102,
    title: "Invalid access token",
    remedy:
      "The token may be mistyped, expired or revoked; create a new one with `triptych token create --label notebook`.",
  },
  insufficient_scope: {
    status: 403,
    number: 40301,
    title: "Insufficient scope",
    remedy: "Use a token with the scope named in `detail`.",
  },
  ingest_forbidden: {
    status: 403,
    number: 40302,
    title: "Not allowed to upload data",
    remedy: "Use `/ingest/<token>` with a token that has the scope `ingest`.",
  },
  origin_not_allowed: {
    status: 403,
    number: 40303,
    title: "Origin not allowed",
    remedy: "Add the page's origin to `CORS_ORIGINS`, or send the request from a program instead of a page.",
  },
  invalid_feed_key: {
    status: 403,
    number: 40304,
    title: "Invalid feed key",
    remedy:
      "Create a key with `triptych token create --label reader --scopes feed`, and put it into the URL of the feed.",
  },
  post_not_found: {
    status: 404,
    number: 10204,
    title: "Post not found",
    remedy: "Check the id, or import the post.",
  },
  account_not_found: {
    status: 404,
    number: 10221,
    title: "Account not found",
    remedy: "Check the name, or import the account.",
  },
  sound_not_found: {
    status: 404,
    number: 40401,
    title: "Sound not found",
    remedy: "Check the id, or import posts that use the sound.",
  },
  hashtag_not_found: {
    status: 404,
    number: 40402,
    title: "Hashtag not found",
    remedy: "Check the spelling; case, diacritics and a leading # do not matter.",
  },
  place_not_found: {
    status: 404,
    number: 40408,
    title: "Place not found",
    remedy: "Check the id, or import posts that are at the place.",
  },
  chart_not_found: {
    status: 404,
    number: 40405,
    title: "Chart not found",
    remedy: "Use a day that `detail` names, or one that `/api/charts` lists.",
  },
  job_not_found: {
    status: 404,
    number: 40406,
    title: "Import not found",
    remedy: "Check the id; `GET /admin/jobs` lists imports.",
  },
  watch_not_found: {
    status: 404,
    number: 40409,
    title: "Watch not found",
    remedy: "Check the id; `GET /admin/watches` lists watches.",
  },
  token_not_found: {
    status: 404,
    number: 40407,
    title: "Token not found",
    remedy: "Check the key id; `GET /admin/tokens` lists tokens.",
  },
  unknown_path: {
    status: 404,
    number: 40403,
    title: "Path not found",
    remedy: "See /docs or /openapi.json for all paths.",
  },
  unknown_source: {
    status: 404,
    number: 40404,
    title: "Unsupported platform",
    remedy: "See docs/importing.md for supported platforms.",
  },
  method_not_allowed: {
    status: 405,
    number: 40501,
    title: "Method not allowed",
    remedy: "Use a method listed in the `Allow` header.",
  },
  not_acceptable: {
    status: 406,
    number: 40601,
    title: "Only JSON is available",
    remedy: "Send `Accept: application/json` or no `Accept` header.",
  },
  request_timeout: {
    status: 408,
    number: 40801,
    title: "Request timeout",
    remedy: "Send headers within 10 s and the whole request within 15 s.",
  },
  conflict: {
    status: 409,
    number: 40901,
    title: "Not possible in the present state",
    remedy: "`detail` says what stands in the way.",
  },
  body_too_large: {
    status: 413,
    number: 41301,
    title: "Request body too large",
    remedy: "Send at most 64 KiB, in an upload at most `INGEST_MAX_MB`; import larger files with `triptych import`.",
  },
  uri_too_long: { status: 414, number: 41401, title: "URL too long", remedy: "Send at most 8 KiB." },
  unsupported_media_type: {
    status: 415,
    number: 41501,
    title: "Unsupported media type",
    remedy: "Send multipart/form-data, application/x-www-form-urlencoded or application/json.",
  },
  expectation_failed: {
    status: 417,
    number: 41701,
    title: "Expectation failed",
    remedy: "Omit the `Expect` header, or send `100-continue`.",
  },
  rate_limited: {
    status: 429,
    number: 42901,
    title: "Rate limit exceeded",
    remedy: "Retry after the number of seconds in `Retry-After`.",
  },
  too_many_concurrent: {
    status: 429,
    number: 42902,
    title: "Too many concurrent requests",
    remedy: "Wait for requests in progress to finish.",
  },
  headers_too_large: {
    status: 431,
    number: 43101,
    title: "Request headers too large",
    remedy: "Send at most 16 KiB.",
  },
  internal: {
    status: 500,
    number: 50001,
    title: "Internal server error",
    remedy: "Report it with the `request_id`.",
  },
  service_unavailable: {
    status: 503,
    number: 50301,
    title: "Service temporarily unavailable",
    remedy: "Retry after the number of seconds in `Retry-After`.",
  },
  overloaded: {
    status: 503,
    number: 50302,
    title: "Too many searches",
    remedy: "Retry after the number of seconds in `Retry-After`. Look-ups and lists are not affected.",
  },
  ranking_pending: {
    status: 503,
    number: 50303,
    title: "Ranking being computed",
    remedy:
      "Retry after the number of seconds in `Retry-After`: the ranking as of this day is computed meanwhile, and kept.",
  },
  insufficient_storage: {
    status: 507,
    number: 50701,
    title: "No space left to store the upload",
    remedy: "Free some disk space on the server, then send the upload again. What was accepted before is not lost.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** Whether the service failed. Other errors are expected: the log has no stack of them. */
export function isFailure(code: ErrorCode): boolean {
  return ERRORS[code].status >= 500 && code !== "overloaded";
}

/** What is wrong with one parameter, and where it belongs. */
export interface ParameterError {
  in: "query" | "body" | "path" | "header";
  parameter: string;
  reason: string;
}

/** An error for the client. `detail` says what is wrong and what would be right. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly errors: ParameterError[];
  /** Response headers, such as Retry-After. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: ParameterError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    // A stack costs a fifth of a rejection.
    const { stackTraceLimit } = Error;
    if (!isFailure(code)) Error.stackTraceLimit = 0;
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ApiError";
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

/** For a failure that is none of the others. */
export function internalError(cause: unknown): ApiError {
  return new ApiError("internal", "internal error; the log has the cause under this request_id", { cause });
}

export function invalidInBody(parameter: string, reason: string): ApiError {
  return new ApiError("invalid_parameter", `${parameter} ${reason}`, { errors: [{ in: "body", parameter, reason }] });
}

/** For a failure that will soon pass. */
export function unavailable(detail: string, cause: unknown): ApiError {
  return new ApiError("service_unavailable", detail, { headers: { "retry-after": "1" }, cause });
}

/** A replica confirms no token that it does not know, and no scope that changes anything. */
export function unconfirmedToken(): ApiError {
  return unavailable("cannot verify the token: the primary database is unreachable; retry in 1 s", null);
}

/** The last day of the period of a ranking. */
export const TRENDS_DAY_HEADER = "Trends-Day";

/** The rankings as of a day, in days since 1970, must be computed first. */
export function rankingPending(day: number): ApiError {
  const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
  return new ApiError("ranking_pending", `the rankings as of ${text} are being computed; retry in 5 s`, {
    headers: { "retry-after": "5", [TRENDS_DAY_HEADER]: text },
  });
}

/** The body of every error response: RFC 9457 with the members of the platforms. */
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
