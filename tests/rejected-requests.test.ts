/** Requests that are wrong before any parameter is looked at: methods, paths, sizes, types, encodings, broken HTTP. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "node:test";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { requestOperation, requestWithJson, sendRequest, sendRaw, OPERATIONS } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const FORM = "application/x-www-form-urlencoded";
const POST_PATH = "/api/photoshare/get-posts";

function part(name: string, value: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

describe("refusals", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  const post = (body: string | Buffer, headers: Record<string, string> = { "content-type": FORM }, path = POST_PATH) =>
    sendRequest(server.url, { method: "POST", path, headers, body });

  const postMultipart = (body: string, type = "multipart/form-data; boundary=edge") =>
    post(body, { "content-type": type });

  for (const { name, path, endpoint } of OPERATIONS) {
    test(`${name} takes ${endpoint.method} and says so to other methods`, async () => {
      const allow = endpoint.method === "GET" ? "GET, HEAD, OPTIONS" : "OPTIONS, POST";
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"].filter(
        (candidate) => candidate !== endpoint.method,
      )) {
        const response = await sendRequest(server.url, { method, path });
        assertProblem(response, "method_not_allowed", `${method} ${path}`);
        assert.equal(response.header("allow"), allow, method);
      }
    });
  }

  test("HEAD on a POST operation is a wrong method, without a body", async () => {
    const response = await sendRequest(server.url, { method: "HEAD", path: POST_PATH });
    assert.equal(response.status, 405);
    assert.equal(response.header("allow"), "OPTIONS, POST");
    assert.equal(response.text, "");
  });

  test("a wrong method is refused before its body is read or its token asked for", async () => {
    const response = await sendRequest(server.url, {
      method: "PUT",
      path: POST_PATH,
      headers: { authorization: null, "content-type": "text/plain" },
      body: "x",
    });
    assertProblem(response, "method_not_allowed");
  });

  test("unknown paths answer 404, whatever the method and the spelling", async () => {
    const paths = [
      "/api",
      "/api/",
      "/api/shortvideo",
      "/api/shortvideo/music",
      "/api/shortvideo/music/posts/",
      "/API/shortvideo/music/posts",
      "/api/otherplatform/search",
      "/favicon.ico",
      "/..%2f..%2fetc/passwd",
      "/docs/../src",
      "/__proto__",
      "/metrics",
    ];
    for (const path of paths) assertProblem(await sendRequest(server.url, { path }), "unknown_path", path);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      assertProblem(await sendRequest(server.url, { method, path: "/nowhere" }), "unknown_path", method);
  });

  test("a path that cannot be decoded is malformed", async () => {
    for (const path of ["/api/%zz", "/%", "/%E0%A4%A", "/api/shortvideo/music/posts%"])
      assertProblem(await sendRequest(server.url, { path }), "malformed_request", path);
  });

  test("an Accept header that leaves no JSON is refused, any other is served", async () => {
    const path = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
    for (const accept of [
      "text/html",
      "image/*",
      "application/json;q=0",
      "application/xml, text/plain",
      "*/*;q=0",
      "application/json;q=0, */*",
    ]) {
      assertProblem(await sendRequest(server.url, { path, headers: { accept } }), "not_acceptable", accept);
    }
    for (const accept of [
      "*/*",
      "application/*",
      "application/json",
      "APPLICATION/JSON; charset=utf-8",
      "text/html, */*;q=0.1",
      "text/html;q=0, application/json;q=0.2",
    ]) {
      assert.equal((await sendRequest(server.url, { path, headers: { accept } })).status, 200, accept);
    }
  });

  test("the body of a POST may have 64 KiB and not a byte more", async () => {
    const start = "username_or_url=amara.petrovic&filler=";
    const fits = await post(start + "x".repeat(65_536 - start.length));
    assert.equal(fits.status, 200, fits.text.slice(0, 200));
    assertProblem(await post(start + "x".repeat(65_537 - start.length)), "body_too_large");
  });

  test("a body that is too large is refused without Content-Length too", async () => {
    const chunk = "10000\r\n" + "x".repeat(65_536) + "\r\n";
    const [response] = await sendRaw(
      server.url,
      `POST ${POST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    assert.ok(response);
    assertProblem(response, "body_too_large");
  });

  test("an address may have 8 KiB and not a character more", async () => {
    const start = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga&filler=";
    assert.equal((await sendRequest(server.url, { path: start + "x".repeat(8192 - start.length) })).status, 200);
    const parameter = `/feeds/${"x".repeat(8192)}/search.atom`;
    for (const path of [start + "x".repeat(8193 - start.length), parameter])
      assertProblem(await sendRequest(server.url, { path }), "uri_too_long");
  });

  test("headers of more than 16 KiB are refused on the socket", async () => {
    const [response] = await sendRaw(
      server.url,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Filler: ${"x".repeat(16 * 1024)}\r\n\r\n`,
    );
    assert.ok(response);
    assertProblem(response, "headers_too_large");
    assert.equal(response.header("connection"), "close");
  });

  test("other types of body, and compressed ones, are refused", async () => {
    for (const type of [
      "text/plain",
      "application/xml",
      "application/jsonx",
      "multipart/mixed; boundary=x",
      "nonsense",
      "application/octet-stream",
    ]) {
      assertProblem(
        await post("username_or_url=amara.petrovic", { "content-type": type }),
        "unsupported_media_type",
        type,
      );
    }
    assertProblem(await post("username_or_url=amara.petrovic", {}), "unsupported_media_type", "no Content-Type");
    assertProblem(
      await post(gzipSync("username_or_url=amara.petrovic"), { "content-type": FORM, "content-encoding": "gzip" }),
      "unsupported_media_type",
      "gzip",
    );
  });

  test("Content-Type is read without regard to case and parameters", async () => {
    for (const type of ["Application/X-WWW-Form-Urlencoded", `${FORM}; charset=UTF-8`, `${FORM};charset=utf-8`]) {
      const response = await post("username_or_url=amara.petrovic", { "content-type": type });
      assert.equal(response.status, 200, `${type}: ${response.text.slice(0, 200)}`);
    }
  });

  test("a POST without a body asks for its parameters", async () => {
    const types: Record<string, string>[] = [{}, { "content-type": "application/json" }, { "content-type": FORM }];
    for (const headers of types) {
      assertProblem(
        await sendRequest(server.url, { method: "POST", path: POST_PATH, headers }),
        "missing_parameter",
        JSON.stringify(headers),
      );
    }
  });

  test("parameters of a POST do not count in the address", async () => {
    const response = await post("amount=3", { "content-type": FORM }, `${POST_PATH}?username_or_url=amara.petrovic`);
    assertProblem(response, "missing_parameter");
  });

  test("JSON bodies that are broken, no object, or too odd are refused", async () => {
    for (const body of [
      '{"username_or_url":',
      "{'a':1}",
      "[]",
      '["amara.petrovic"]',
      '"amara.petrovic"',
      "7",
      "true",
      "null",
      "\ufeff{}",
      '{"username_or_url":"amara.petrovic"} x',
    ]) {
      assertProblem(await requestWithJson(server.url, "photoshare/get-posts", body), "invalid_body", body);
    }
  });

  test("a JSON body with the same key twice is refused, however the key is written", async () => {
    for (const body of [
      '{"username_or_url":"amara.petrovic","username_or_url":"rafael.sundqvist"}',
      '{"username_or_url":"amara.petrovic","username_or\\u005furl":"rafael.sundqvist"}',
      '{"username_or_url":"amara.petrovic","other":{"a":1,"a":1}}',
    ]) {
      const response = await requestWithJson(server.url, "photoshare/get-posts", body);
      assert.match(assertProblem(response, "invalid_body", body).detail, /^the request body has the key "\w+" twice$/);
    }
    const batch = await post('{"requests":[],"requests":[]}', { "content-type": "application/json" }, "/api/batch");
    assert.match(assertProblem(batch, "invalid_body").detail, /has the key "requests" twice/);
  });

  test("a JSON body that nests without end is answered like any other", async () => {
    const depth = 30_000;
    const nested = `{"username_or_url":"amara.petrovic","other":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    assert.equal((await requestWithJson(server.url, "photoshare/get-posts", nested)).status, 200);
    const parameter = `{"username_or_url":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`;
    assertProblem(await requestWithJson(server.url, "photoshare/get-posts", parameter), "invalid_parameter");
  });

  test("__proto__ and constructor in a JSON body change nothing", async () => {
    const body =
      '{"__proto__":{"username_or_url":"rafael.sundqvist","amount":"0"},"constructor":{"prototype":{"amount":"0"}},"username_or_url":"amara.petrovic"}';
    assert.equal((await requestWithJson(server.url, "photoshare/get-posts", body)).status, 200);
    assertProblem(
      await requestWithJson(server.url, "photoshare/get-posts", '{"__proto__":{"username_or_url":"amara.petrovic"}}'),
      "missing_parameter",
    );
  });

  test("a URL-encoded body may have any number of unknown fields, as JSON may, and none twice", async () => {
    const extra = Array.from({ length: 500 }, (_, index) => `&extra${index}=x`).join("");
    const many = await post(`username_or_url=amara.petrovic${extra}`);
    assert.equal(many.status, 200, many.text.slice(0, 200));
    const repeated = await post(`username_or_url=amara.petrovic${"&amount=3".repeat(7_000)}`);
    assertProblem(repeated, "repeated_parameter");
  });

  test("multipart bodies with a file, with nine fields, or broken are refused", async () => {
    const user = part("username_or_url", "amara.petrovic");
    const fine = await postMultipart(`${user}--edge--\r\n`);
    assert.equal(fine.status, 200, fine.text.slice(0, 200));
    const extra = (count: number) => Array.from({ length: count }, (_, index) => part(`extra${index}`, "x")).join("");
    assert.equal((await postMultipart(`${user}${extra(7)}--edge--\r\n`)).status, 200, "eight fields");
    const broken: [string, string, string?][] = [
      ["nine fields", `${user}${extra(8)}--edge--\r\n`],
      [
        "a file",
        `${user}--edge\r\nContent-Disposition: form-data; name="amount"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n3\r\n--edge--\r\n`,
      ],
      ["a missing end", user],
      ["no parts", "--edge--"],
      ["another boundary", `${user}--edge--\r\n`, "multipart/form-data; boundary=other"],
      ["no boundary", `${user}--edge--\r\n`, "multipart/form-data"],
      ["nonsense", "nonsense"],
      ["a cut header", "--edge\r\nContent-Disposition: form-data; na"],
    ];
    for (const [what, body, type] of broken) {
      const response = await postMultipart(body, type);
      assert.equal(response.status, 400, `${what}: ${response.text}`);
      assertProblem(response, what === "no parts" ? "missing_parameter" : "invalid_body", what);
    }
  });

  test("an unknown Api-Version is refused, the known one is taken", async () => {
    const path = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
    const refused = assertProblem(
      await sendRequest(server.url, { path, headers: { "api-version": "2020-01-01" } }),
      "unknown_version",
    );
    assert.deepEqual(refused.errors, [{ in: "header", parameter: "Api-Version", reason: "must be 2026-11-15" }]);
    assert.equal((await sendRequest(server.url, { path, headers: { "api-version": "2026-11-15" } })).status, 200);
  });

  const BROKEN: [what: string, bytes: string][] = [
    ["no HTTP at all", "hello there\r\n\r\n"],
    ["an unknown version", "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["a space in the address", "GET /health z HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a header without a colon", "GET /healthz HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"],
    ["a control character in a header", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: a\x01b\r\n\r\n"],
    [
      "two lengths",
      "POST /api/photoshare/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    ],
    [
      "a length beside chunks",
      "POST /api/photoshare/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "a length that is no number",
      "POST /api/photoshare/search HTTP/1.1\r\nHost: x\r\nContent-Length: five\r\n\r\nhello",
    ],
    ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ];
  for (const [what, bytes] of BROKEN) {
    test(`HTTP with ${what} is answered with the one body, and the connection closed`, async () => {
      const [response, ...more] = await sendRaw(server.url, bytes);
      assert.ok(response);
      assertProblem(response, "malformed_request", what);
      assert.equal(response.header("connection"), "close");
      assert.equal(more.length, 0);
    });
  }

  test("an expectation that nobody can meet is answered with the one body", async () => {
    const [response] = await sendRaw(
      server.url,
      "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
    );
    assert.ok(response);
    assert.ok(response.status >= 200 && response.status < 500);
    if (response.status >= 400)
      assert.equal(response.header("content-type"), "application/problem+json; charset=utf-8");
  });

  test("after all this the service still answers everything", async () => {
    for (const { name } of OPERATIONS)
      assert.equal((await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {})).status, 200, name);
  });
});
