/**
 * Every operation, over HTTP, on the demo world: held against SPEC.md's tables (typed by hand in tests/spec), where it
 * is one of SPEC.md's, and against the operation's own schema, strictly. A field too many fails as a field too few does.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { operationsOf } from "#api/platform.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { startTestServer, query, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { BEHAVIOUR, checkAgainstSpec, SPEC_TABLES } from "./spec-tables.ts";
import { PARAMETERS } from "./wrong-values.ts";

/** Of every response on the web. */
const STANDARD_HEADERS = [
  "Connection",
  "Content-Encoding",
  "Content-Length",
  "Content-Type",
  "Date",
  "Keep-Alive",
  "Transfer-Encoding",
  "Vary",
  "X-Content-Type-Options",
];

const OF_PLATFORMS = new Set(operationsOf(PLATFORMS).map(({ name }) => name));

/** Parameters that the search reads. */
const QUERIES: ReadonlySet<string> = new Set(["keyword", "q", "query", "search_query"]);

describe("contract", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function ask(
    { endpoint, path }: Pick<(typeof OPERATIONS)[number], "endpoint" | "path">,
    encoding: "spec" | "json" | "other" = "spec",
  ): Promise<Response> {
    const authorization = { authorization: `Bearer ${TEST_TOKEN}` };
    if (endpoint.method === "GET") {
      return fetch(`${server.url}${path}?${query(endpoint.example)}`, {
        headers: { ...authorization, "content-type": "application/json" },
      });
    }
    if (encoding === "json") {
      return fetch(server.url + path, {
        method: "POST",
        headers: { ...authorization, "content-type": "application/json" },
        body: JSON.stringify(endpoint.example),
      });
    }
    const multipart = (endpoint.form === "multipart") === (encoding === "spec");
    const form = multipart ? new FormData() : new URLSearchParams();
    for (const [name, value] of Object.entries(endpoint.example)) form.append(name, value);
    return fetch(server.url + path, { method: "POST", headers: authorization, body: form });
  }

  test("operations send no header that openapi.json does not list", async () => {
    const { paths } = (await server.get("/openapi.json").then((response) => response.json())) as {
      paths: Record<string, Record<string, { responses: { 200: { headers: object } } }>>;
    };
    const sent = new Set<string>();
    for (const { name: operation, path, endpoint } of OPERATIONS) {
      const listed = paths[path]?.[endpoint.method.toLowerCase()]?.responses[200].headers ?? {};
      const known = new Set([...Object.keys(listed), ...STANDARD_HEADERS].map((name) => name.toLowerCase()));
      const example = Object.entries<string>(endpoint.example);
      const misread = example.map(([name, value]) => [
        name,
        QUERIES.has(name) ? `${value} qwxzyv min_views:many` : value,
      ]);
      for (const asked of [
        endpoint,
        { ...endpoint, example: Object.fromEntries(misread) as typeof endpoint.example },
      ]) {
        const { headers } = await ask({ path, endpoint: asked });
        assert.deepEqual(
          [...headers.keys()].filter((name) => !known.has(name)),
          [],
          operation,
        );
        for (const name of headers.keys()) sent.add(name);
      }
    }
    for (const name of ["search-matched", "search-ignored", "trends-day", "newest-capture"])
      assert.ok(sent.has(name), name);
  });

  for (const operation of OPERATIONS) {
    const inSpec = OF_PLATFORMS.has(operation.name);
    test(`${operation.name} answers its example as ${inSpec ? "SPEC.md and its schema say" : "its schema says"}`, async () => {
      const response = await ask(operation);
      const body: unknown = await response.json();
      assert.equal(response.status, 200, JSON.stringify(body));
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      if (inSpec) assert.deepEqual(checkAgainstSpec(operation.name, body), []);
      const schema = Compile(operation.endpoint.output);
      assert.deepEqual(schema.Errors(body), []);
      assert.deepEqual(
        emptyLists(operation.name, body),
        [],
        "the example must show filled lists, or their items go unchecked",
      );
    });

    test(`${operation.name} shows nulls, and only nulls, in place of unknowns when asked to`, async () => {
      const { endpoint, path } = operation;
      const [known, response] = await withinOneMinute(async () => [
        await (await ask(operation)).json(),
        endpoint.method === "GET"
          ? await server.get(`${path}?${query(endpoint.example)}`, { prefer: "unknown=null" })
          : await server.post(path, endpoint.example, { prefer: "unknown=null" }),
      ]);
      assert.equal(response.headers.get("preference-applied"), "unknown=null");
      compareUnknown(known, await response.json(), operation.name);
    });

    if (operation.endpoint.method === "POST") {
      test(`${operation.name} takes both form encodings and JSON alike`, async () => {
        const ways = ["spec", "other", "json"] as const;
        const [spec, other, json] = await withinOneMinute(() =>
          Promise.all(ways.map(async (way) => steady(await (await ask(operation, way)).json()))),
        );
        assert.deepEqual(other, spec);
        assert.deepEqual(json, spec);
      });
    }
  }

  test("the tables and the routes name the same operations", () => {
    assert.deepEqual(Object.keys(SPEC_TABLES).toSorted(), [...OF_PLATFORMS].toSorted());
    assert.deepEqual(Object.keys(BEHAVIOUR).toSorted(), OPERATIONS.map(({ name }) => name).toSorted());
  });

  for (const { name, endpoint } of OPERATIONS.filter((operation) => OF_PLATFORMS.has(operation.name))) {
    test(`${name} takes what SPEC.md says`, () => {
      const { method, encoding, parameters } = SPEC_TABLES[name] ?? assert.fail(`${name} has no table`);
      assert.equal(endpoint.method, method);
      if (method === "POST") assert.equal(endpoint.form ?? "urlencoded", encoding);
      const taken = new Map(PARAMETERS.filter(({ operation }) => operation === name).map((one) => [one.name, one]));
      for (const [parameter, { required, minimum, maximum, exactly, oneOf, ...spec }] of Object.entries(parameters)) {
        const { schema, ...own } = taken.get(parameter) ?? assert.fail(`${parameter} is not taken`);
        assert.equal(own.required, required, parameter);
        if (minimum !== undefined) assert.equal(schema.minimum, minimum, parameter);
        if (maximum !== undefined) assert.equal(schema.maximum, maximum, parameter);
        if (exactly !== undefined) assert.equal(schema.const, exactly, parameter);
        if (oneOf !== undefined) assert.deepEqual(schema.enum, oneOf, parameter);
        // Defaults of language and country are the operator's to set.
        if (spec.default !== undefined && schema.default !== undefined)
          assert.equal(schema.default, spec.default, parameter);
        taken.delete(parameter);
      }
      for (const [parameter, { required }] of taken)
        assert.ok(!required, `${parameter} is required, and SPEC.md does not name it`);
    });
  }
});

/** Lists that SPEC.md leaves undescribed, that no record of any platform fills, or that only a malformed query fills. */
const MAY_BE_EMPTY =
  /(?:eventList|content_advisory_posts\.edges|timeline_pinned_user_ids|media_notes\.items|video_versions|carousel_media|regulated_news_in_locations|profile_pic_genai_tool_info|profile_context_\w+|account_badges|pronouns|biography_with_entities\.entities|keywords|challenges|textExtra|places|creators|related_items|hashtags|tagged_ids|ignored)$/;

function emptyLists(name: string, value: unknown, path = ""): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return MAY_BE_EMPTY.test(path) ? [] : [`${name}: ${path} is empty`];
    return value.flatMap((item) => emptyLists(name, item, path));
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, below]) => emptyLists(name, below, path === "" ? key : `${path}.${key}`));
}

/** The scores of a search, and its tokens, tell the minute in which it began. */
async function withinOneMinute<Responses>(ask: () => Promise<Responses>): Promise<Responses> {
  for (;;) {
    const minute = Math.floor(Date.now() / 60_000);
    const responses = await ask();
    if (Math.floor(Date.now() / 60_000) === minute) return responses;
  }
}

/** These depend on the request. */
const CHANGING = /(?:request_id|rank_token|impr_id|logid|extra\.now)$/;

/** Wherever the two differ, the second is null; everything that is known is the same. */
function compareUnknown(known: unknown, unknown: unknown, path: string): void {
  if (unknown === null || CHANGING.test(path)) return;
  if (Array.isArray(known)) {
    assert.ok(Array.isArray(unknown), path);
    assert.equal(unknown.length, known.length, path);
    known.forEach((item, index) => compareUnknown(item, unknown[index], `${path}[${index}]`));
  } else if (known !== null && typeof known === "object") {
    assert.deepEqual(Object.keys(unknown as object).toSorted(), Object.keys(known).toSorted(), path);
    for (const [key, value] of Object.entries(known))
      compareUnknown(value, (unknown as Record<string, unknown>)[key], `${path}.${key}`);
  } else assert.deepEqual(unknown, known, path);
}

/** Without what changes with every call. */
function steady(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === "rank_token" ? "" : value)));
}
