import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, ERRORS, type ErrorCode } from "#errors";

const CODES = Object.keys(ERRORS) as ErrorCode[];

test("only failures record a stack: no log shows that of an expected error, and a flood of them would pay for it", () => {
  const limit = Error.stackTraceLimit;
  const withStack = CODES.filter((code) => /\n\s+at /.test(new ApiError(code, "told").stack ?? ""));
  assert.deepEqual(
    withStack,
    CODES.filter((code) => ERRORS[code].status >= 500 && code !== "overloaded"),
  );
  assert.equal(Error.stackTraceLimit, limit);
});
