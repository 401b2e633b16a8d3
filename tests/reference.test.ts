/** The reference: real examples, nothing preset that a reader did not choose, and guides that can be read in it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { OPERATIONS } from "#platforms/registry.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { sendRequest } from "./http-client.ts";

interface ParameterObject {
  name: string;
  in: string;
  required: boolean;
  example?: unknown;
  schema: { enum?: unknown[]; default?: unknown; example?: unknown };
}

interface OperationObject {
  description: string;
  parameters: ParameterObject[];
  responses: { "200": { content: { "application/json": { example: unknown } } } };
}

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, OperationObject>>;
}

describe("the reference", () => {
  let server: TestServer;
  let document: Document;
  before(async () => {
    server = await startTestServer([]);
    document = JSON.parse((await open("/openapi.json")).text) as Document;
  });
  after(() => server.close());

  const open = (path: string) => sendRequest(server.url, { path, headers: { authorization: null } });
  const operationAt = (path: string, method: string) =>
    document.paths[path]?.[method.toLowerCase()] ?? assert.fail(`${path} is missing`);

  test("every operation has a real response as its example, which fits its schema", () => {
    for (const { path, endpoint } of OPERATIONS) {
      const { example } = operationAt(path, endpoint.method).responses["200"].content["application/json"];
      assert.ok(typeof example === "object" && example !== null, path);
      assert.deepEqual(Compile(endpoint.output).Errors(example), [], path);
      assert.ok(longestList(example) <= 2, `${path} has long lists`);
      assert.ok(JSON.stringify(example).length > 60, path);
    }
  });

  test("nothing optional is preset: no header, and no example of an optional parameter", () => {
    for (const { path, endpoint } of OPERATIONS) {
      const { parameters } = operationAt(path, endpoint.method);
      for (const parameter of parameters.filter(({ required }) => !required)) {
        assert.equal(parameter.example, undefined, `${path} ${parameter.name}`);
        assert.equal(parameter.schema.example, undefined, `${path} ${parameter.name}`);
      }
      const prefer = parameters.find(({ name }) => name === "Prefer");
      assert.deepEqual(prefer?.schema, { type: "string" });
      for (const { name, example } of parameters.filter((parameter) => parameter.required && parameter.in === "query"))
        assert.ok(example !== undefined, `${path} ${name}`);
    }
  });

  test("guides are linked, and every link in them leads somewhere", async () => {
    const texts = [
      document.info.description,
      ...OPERATIONS.map(({ path, endpoint }) => operationAt(path, endpoint.method).description),
    ];
    const links = new Set(
      texts.flatMap((text) => Array.from(text.matchAll(/\]\((\/[^)]+)\)/g), ([, link]) => link ?? "")),
    );
    assert.ok(links.has("/docs/guides/search") && links.has("/docs/guides/trends"));
    for (const text of texts)
      for (const [file] of text.matchAll(/docs\/[a-z]+\.md/g)) assert.ok(text.includes(`[${file}](/docs/`), file);
    for (const link of links) {
      const page = await open(link);
      assert.equal(page.status, 200, link);
      assert.match(page.header("content-type") ?? "", /^text\/html/);
      for (const [, target = ""] of page.text.matchAll(/href="([^"]+)"/g)) {
        const [path = "", anchor] = target.split("#");
        if (/^https?:/.test(target)) continue;
        const linked = path === "" || path === link ? page : await open(path);
        assert.ok(linked.status < 400, `${link}: ${target}`);
        if (anchor !== undefined)
          assert.ok(linked.text.includes(`id="${anchor}"`), `${link}: ${target} has no such heading`);
      }
    }
  });

  test("guides are rendered whole: no markup is left, and wide tables and code scroll by themselves", async () => {
    for (const path of ["api", "search", "trends", "importing", "configuration", "operating"]) {
      const { text } = await open(`/docs/guides/${path}`);
      const body = text.slice(text.indexOf("<body>")).replaceAll(/<code>[^<]*<\/code>/g, "");
      assert.doesNotMatch(body, /```|\*\*|\]\(|^#+ |^\|/m, path);
      assert.doesNotMatch(body, /<script|onerror|javascript:/i, path);
      assert.match(body, /<h1 id="/);
    }
    const errors = await open("/docs/errors");
    for (const page of [errors, await open("/docs/guides/configuration")]) {
      assert.equal(page.text.match(/<table>/g)?.length, page.text.match(/<div class="table"><table>/g)?.length);
      assert.match(page.text, /pre, \.table \{ overflow-x: auto;/);
    }
  });

  test("pages have an icon", async () => {
    for (const path of ["/docs/", "/docs/errors", "/docs/guides/api"])
      assert.match((await open(path)).text, /<link rel="icon" href="\/favicon\.svg"(?: \/)?>/);
    const icon = await open("/favicon.svg");
    assert.equal(icon.status, 200);
    assert.equal(icon.header("content-type"), "image/svg+xml");
  });
});

function longestList(value: unknown): number {
  if (Array.isArray(value)) return Math.max(value.length, 0, ...value.map(longestList));
  if (value === null || typeof value !== "object") return 0;
  return Math.max(0, ...Object.values(value).map(longestList));
}
