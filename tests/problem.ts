/** What every failing answer must look like, said once: RFC 9457 with the platforms' own members beside, and nothing else. */
import assert from "node:assert/strict";
import { ERRORS, type ErrorCode, type ParameterError } from "#errors";

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  errors: ParameterError[];
  statusCode: number;
  status_code: number;
  statusMsg: string;
  status_msg: string;
}

/** The parts of an answer that the check looks at, whatever client received it. */
export interface Received {
  status: number;
  header(name: string): string | null;
  text: string;
}

const MEMBERS = [
  "type",
  "title",
  "status",
  "detail",
  "code",
  "request_id",
  "errors",
  "statusCode",
  "status_code",
  "statusMsg",
  "status_msg",
];

/** Numbers that the platforms themselves use. */
const PLATFORM_NUMBERS: Partial<Record<ErrorCode, number>> = { post_not_found: 10204, account_not_found: 10221 };

/** Words that only the inside of the service would say. */
const INSIDE = /node_modules|\.ts\b|\bat [\w.<>]+ \(|SQLITE|\/src\/|TypeError|undefined/;

export function assertProblem(received: Received, code: ErrorCode, hint = ""): Problem {
  const context = `${hint} -> ${received.status} ${received.text.slice(0, 300)}`;
  assert.equal(received.header("content-type"), "application/problem+json; charset=utf-8", context);
  const body = JSON.parse(received.text) as Problem;
  assert.equal(body.code, code, context);
  assert.deepEqual(Object.keys(body), MEMBERS, context);
  const { status, title } = ERRORS[code];
  assert.equal(received.status, status, context);
  assert.equal(body.status, status, context);
  assert.equal(body.title, title, context);
  assert.equal(body.type, `/docs/errors#${code}`, context);
  assert.equal(body.statusCode, body.status_code, context);
  assert.equal(
    PLATFORM_NUMBERS[code] ?? Math.floor(body.statusCode / 100),
    PLATFORM_NUMBERS[code] === undefined ? status : body.statusCode,
    context,
  );
  assert.equal(body.statusMsg, body.detail, context);
  assert.equal(body.status_msg, body.detail, context);
  assert.notEqual(body.detail, "", context);
  assert.equal(body.request_id, received.header("x-request-id"), context);
  assert.equal(received.header("api-version"), "2026-11-15", context);
  assert.equal(received.header("cache-control"), "no-store", context);
  assert.doesNotMatch(received.text, INSIDE, context);
  return body;
}

/** A problem with one parameter: it is named, with the place it was looked for, in `errors` and in the sentence. */
export function assertParameterProblem(
  received: Received,
  code: ErrorCode,
  wrong: { in: "query" | "body"; parameter: string },
  hint = "",
): Problem {
  const body = assertProblem(received, code, hint);
  const named = body.errors.find(({ parameter }) => parameter === wrong.parameter);
  assert.ok(named, `${hint}: ${wrong.parameter} is not named in ${JSON.stringify(body.errors)}`);
  assert.equal(named.in, wrong.in, hint);
  assert.notEqual(named.reason, "", hint);
  assert.match(body.detail, new RegExp(`\\b${wrong.parameter}\\b`), hint);
  assert.match(body.detail, wrong.in === "query" ? /query string/ : /request body/, hint);
  return body;
}
