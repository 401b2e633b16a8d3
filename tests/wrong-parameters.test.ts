/** Every parameter of every operation, in every wrong form: refused before any store is asked. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ErrorCode } from "#errors";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertParameterProblem, type Problem } from "./problem.ts";
import { requestOperation } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";
import { type Parameter, PARAMETERS, wrongValues } from "./wrong-values.ts";

describe("wrong parameters", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  for (const parameter of PARAMETERS) {
    const { operation, name, place, required } = parameter;
    test(`${operation} refuses every wrong form of ${name}`, async () => {
      for (const value of wrongValues(parameter)) {
        const response = await requestOperation(server.url, operation, { ...GOOD_REQUESTS[operation], [name]: value });
        const code: ErrorCode = required && value.trim() === "" ? "missing_parameter" : "invalid_parameter";
        const body = assertParameterProblem(
          response,
          code,
          { in: place, parameter: name },
          `${operation} ${name}=${JSON.stringify(value.slice(0, 80))}`,
        );
        assertSaysWhatWouldBeRight(body, parameter, value);
      }
    });
  }
});

function assertSaysWhatWouldBeRight({ errors }: Problem, { name, schema }: Parameter, value: string): void {
  const reason = errors.find(({ parameter }) => parameter === name)?.reason ?? "";
  if (schema.type === "integer") assert.ok(reason.includes(`from ${schema.minimum} to ${schema.maximum}`), reason);
  if (schema.const !== undefined) assert.ok(reason.includes(schema.const), reason);
  for (const choice of schema.enum ?? []) assert.ok(reason.includes(String(choice)), reason);
  if (schema.maxLength !== undefined && schema.format === undefined && value.length > schema.maxLength) {
    assert.ok(reason.includes(String(schema.maxLength)), reason);
  }
}
