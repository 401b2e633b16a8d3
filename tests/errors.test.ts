/**
 * Every operation, every parameter, every way to get it wrong: always the one problem body, always 4xx, always with the
 * parameter's name and place. The cases come from the operations' own schemas, so a new parameter is covered by being there.
 * Wrong values are in tests/wrong-parameters.test.ts.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { propertyBudget } from "#testing/budget.ts";
import { Compile } from "typebox/compile";
import { ERRORS } from "#errors";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem, type Problem } from "./problem.ts";
import { requestOperation, requestWithJson, OPERATIONS, operationNamed, type Pairs } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";
import { PARAMETERS } from "./wrong-values.ts";

function goodRequest(operation: string): Record<string, string> {
  const good = GOOD_REQUESTS[operation];
  assert.ok(good, `tests/world.ts has no good request for ${operation}`);
  return good;
}

describe("errors of parameters", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  test("the world answers every operation's good request", async () => {
    for (const { name } of OPERATIONS) {
      const response = await requestOperation(server.url, name, goodRequest(name));
      assert.equal(response.status, 200, `${name}: ${response.text.slice(0, 200)}`);
    }
  });

  for (const parameter of PARAMETERS) {
    const { operation, name, place, schema, required } = parameter;
    const wrong = { in: place, parameter: name };
    const withValue = (value: string) =>
      requestOperation(server.url, operation, { ...goodRequest(operation), [name]: value });

    test(`${operation} refuses ${name} sent twice, even with the same value`, async () => {
      const { [name]: good = "7", ...others } = goodRequest(operation);
      const pairs: Pairs = [[name, good], ...Object.entries(others), [name, good]];
      const body = assertParameterProblem(
        await requestOperation(server.url, operation, pairs),
        "repeated_parameter",
        wrong,
        operation,
      );
      assert.deepEqual(body.errors, [{ ...wrong, reason: "must be sent once" }]);
    });

    if (required) {
      test(`${operation} asks for ${name} when it is missing or empty`, async () => {
        const { [name]: _left, ...others } = goodRequest(operation);
        assertParameterProblem(
          await requestOperation(server.url, operation, others),
          "missing_parameter",
          wrong,
          `${operation} without ${name}`,
        );
        assertParameterProblem(await withValue(""), "missing_parameter", wrong, `${operation} with empty ${name}`);
      });
    }

    if (schema.type === "integer") {
      test(`${operation} takes ${name} at both ends of its range, and with leading zeros`, async () => {
        const { minimum = 0, maximum = 0 } = schema;
        // A cursor beyond the first page belongs to a search that began before it.
        if (operation === "shortvideo/search/general") return;
        for (const value of [String(minimum), String(maximum), `0${minimum + 1}`]) {
          const response = await withValue(value);
          assert.equal(response.status, 200, `${name}=${value}: ${response.text.slice(0, 200)}`);
        }
      });
    }

    if (place === "body") {
      test(`${operation} refuses JSON values of ${name} that are no scalars, and text that is not well-formed`, async () => {
        const json = (value: unknown) =>
          requestWithJson(server.url, operation, JSON.stringify({ ...goodRequest(operation), [name]: value }));
        assertParameterProblem(await json(["a"]), "repeated_parameter", wrong, `${operation} ${name}=["a"]`);
        assertParameterProblem(await json({ a: 1 }), "invalid_parameter", wrong, `${operation} ${name}={}`);
        assertParameterProblem(
          await json("lone \ud800 surrogate"),
          "invalid_parameter",
          wrong,
          `${operation} ${name}=lone surrogate`,
        );
      });
    }
  }

  test("letters that only grow into a country code when they are capitalised are no country code", async () => {
    for (const country of ["ß", "ﬁ", "ıt"]) {
      const response = await requestOperation(server.url, "longvideo/trending", { country });
      assertParameterProblem(response, "invalid_parameter", { in: "query", parameter: "country" }, country);
    }
  });

  test("codes that ISO 3166 gives to no country are refused", async () => {
    for (const country of ["ZZ", "XA", "QO", "EU"]) {
      const response = await requestOperation(server.url, "longvideo/trending", { country });
      assertParameterProblem(response, "invalid_parameter", { in: "query", parameter: "country" }, country);
    }
  });

  test("several wrong parameters are all named in one answer", async () => {
    const response = await requestOperation(server.url, "photoshare/get-followers", { data: "likes", amount: "0" });
    const body = assertProblem(response, "missing_parameter");
    assert.deepEqual(
      body.errors.map(({ parameter }) => parameter),
      ["username_or_url", "data", "amount"],
    );
  });

  test("the sentence of a missing parameter reads as documented", async () => {
    const body = assertProblem(await requestOperation(server.url, "shortvideo/music/posts", {}), "missing_parameter");
    assert.equal(body.detail, "musicId is required in the query string");
    assert.equal(body.statusCode, 40001);
    assert.deepEqual(body.errors, [{ in: "query", parameter: "musicId", reason: "required" }]);
  });

  test("page tokens that are nonsense are refused as cursors, by name", async () => {
    for (const { operation, name, place } of PARAMETERS.filter((parameter) =>
      /_token$|^search_id$/.test(parameter.name),
    )) {
      for (const value of ["x", "0000", "!", "null", "../..", "W10", "a".repeat(1024), "🂡"]) {
        const response = await requestOperation(server.url, operation, { ...goodRequest(operation), [name]: value });
        assertParameterProblem(
          response,
          "invalid_cursor",
          { in: place, parameter: name },
          `${operation} ${name}=${value.slice(0, 20)}`,
        );
      }
    }
  });

  test("names of Object's own members are parameters like any unknown one", async () => {
    for (const { name } of OPERATIONS) {
      for (const odd of ["__proto__", "constructor", "hasOwnProperty", "toString", "then"]) {
        const response = await requestOperation(server.url, name, [
          ...Object.entries(goodRequest(name)),
          [odd, "x"],
          [odd, "y"],
        ]);
        assert.equal(response.status, 200, `${name} with ${odd}: ${response.text.slice(0, 200)}`);
      }
    }
  });

  test("random junk in any parameter is answered strictly or refused in the one shape, never with 5xx", async () => {
    const junk = fc.oneof(
      fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom(
        "",
        "0",
        "-0",
        "1",
        "99999999999999999999",
        "%00",
        "%",
        "%zz",
        "' OR 1=1 --",
        '"',
        "*",
        '"a" NEAR "b"',
        "{}",
        "[]",
        "null",
        "\u202e",
        "ﬀ",
        "en",
        "US",
      ),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.json(),
    );
    const request = fc.constantFrom(...OPERATIONS.map(({ name }) => name)).chain((name) => {
      const names = [...Object.keys(operationNamed(name).endpoint.input.properties), "fields", "zzz"];
      return fc.record({
        name: fc.constant(name),
        junk: fc.array(fc.tuple(fc.constantFrom(...names), junk), { minLength: 1, maxLength: 3 }),
      });
    });
    const strict = new Map(OPERATIONS.map(({ name, endpoint }) => [name, Compile(endpoint.output)]));
    await fc.assert(
      fc.asyncProperty(request, async ({ name, junk: wrong }) => {
        const response = await requestOperation(
          server.url,
          name,
          Object.entries({ ...goodRequest(name), ...Object.fromEntries(wrong) }),
        );
        if (response.status !== 200) {
          assert.ok(response.status >= 400 && response.status < 500, response.text);
          assertProblem(response, (JSON.parse(response.text) as Problem).code);
        } else if (wrong.every(([parameter]) => parameter !== "fields")) {
          assert.deepEqual(strict.get(name)?.Errors(JSON.parse(response.text)), [], name);
        }
      }),
      propertyBudget(600),
    );
  });

  test("every problem's type leads to its row of the error page", async () => {
    const page = await (await fetch(`${server.url}/docs/errors`)).text();
    for (const code of Object.keys(ERRORS)) assert.ok(page.includes(`id="${code}"`), code);
  });
});
