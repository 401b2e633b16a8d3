/** What the service says to the mistakes that people make most: each message names what to send instead. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { requestOperation, sendRequest } from "./http-client.ts";
import { WORLD } from "./world.ts";

const PATH = "/api/longvideo/trending";

describe("messages", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  const get = (path: string, headers: Record<string, string | null> = {}, method = "GET") =>
    sendRequest(server.url, { path, headers, method });
  const posting = (contentType: string, body: string) =>
    sendRequest(server.url, {
      method: "POST",
      path: "/api/photoshare/get-profile-v2",
      headers: { "content-type": contentType },
      body,
    });

  test("an empty token, a token without Bearer and another scheme say what the header must be", async () => {
    for (const authorization of ["", "Bearer", "Bearer ", "bearer  "]) {
      const { detail } = assertProblem(await get(PATH, { authorization }), "invalid_token", authorization);
      assert.match(detail, /has no token: send Authorization: Bearer <token>, and check that the variable/);
    }
    const bare = assertProblem(await get(PATH, { authorization: TEST_TOKEN }), "invalid_token");
    assert.match(bare.detail, /^the word Bearer is missing before the token/);
    for (const authorization of ["Basic dXNlcjpwYXNz", `Token ${TEST_TOKEN}`, `Bearer: ${TEST_TOKEN}`]) {
      const response = await get(PATH, { authorization });
      assert.match(assertProblem(response, "invalid_token").detail, /must begin with Bearer: send/, authorization);
      assert.ok(!response.text.includes(TEST_TOKEN), "no message repeats a token");
      assert.equal(response.header("www-authenticate"), 'Bearer realm="triptych", error="invalid_token"');
    }
  });

  test("JSON sent as a form, and a form sent as JSON, name the other content type", async () => {
    const json = JSON.stringify({ username_or_url: "amara.petrovic" });
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const { detail } = assertProblem(await posting(type, json), "invalid_body", type);
      assert.match(detail, /^the request body is JSON, sent as .*; send it with Content-Type: application\/json$/);
    }
    const form = assertProblem(await posting("application/json", "username_or_url=amara.petrovic"), "invalid_body");
    assert.match(form.detail, /a form is sent with Content-Type: application\/x-www-form-urlencoded$/);
    // A brace may also begin the value of a form.
    const brace = assertProblem(await posting("application/x-www-form-urlencoded", "{=1"), "missing_parameter");
    assert.equal(brace.detail, "username_or_url is required in the request body");
  });

  for (const [country, code] of [
    ["UK", "GB"],
    ["uk", "GB"],
    ["USA", "US"],
    ["Germany", "DE"],
    ["united kingdom", "GB"],
  ] as const) {
    test(`country=${country} says to send ${code}`, async () => {
      const { detail } = assertProblem(
        await requestOperation(server.url, "longvideo/trending", { country }),
        "invalid_parameter",
      );
      assert.equal(
        detail,
        `country in the query string must be a country code of two letters (ISO 3166), such as US; for ${country} send ${code}`,
      );
    });
  }

  for (const [lang, code] of [
    ["english", "en"],
    ["Deutsch", "de"],
    ["en_US", "en-US"],
    ["日本語", "ja"],
  ] as const) {
    test(`lang=${lang} says to send ${code}`, async () => {
      const { detail } = assertProblem(
        await requestOperation(server.url, "longvideo/trending", { lang }),
        "invalid_parameter",
      );
      assert.match(detail, new RegExp(`; for ${lang} send ${code}$`));
    });
  }

  test("a value that resembles no country or language gets no guess", async () => {
    for (const [name, value] of [
      ["country", "Atlantis"],
      ["country", "XX"],
      ["country", "constructor"],
      ["lang", "klingonese"],
      ["lang", "constructor"],
    ] as const) {
      const response = await requestOperation(server.url, "longvideo/trending", { [name]: value });
      assert.doesNotMatch(assertProblem(response, "invalid_parameter").detail, /send/);
    }
  });

  test("a near miss of a required parameter's name is recognised", async () => {
    const near = assertProblem(await get("/api/longvideo/video/details?videoid=x"), "missing_parameter");
    assert.equal(
      near.detail,
      "video_id is required in the query string; videoid is no parameter; did you mean video_id?",
    );
    const part = assertProblem(await get("/api/photoshare/get-profile?username=x"), "missing_parameter");
    assert.match(part.detail, /did you mean username_or_url\?$/);
    const other = assertProblem(await get("/api/longvideo/video/details?color=red"), "missing_parameter");
    assert.equal(other.detail, "video_id is required in the query string");
  });

  test("a parameter in the query of a POST is said to be there", async () => {
    const response = await sendRequest(server.url, {
      method: "POST",
      path: "/api/photoshare/get-profile-v2?username_or_url=amara.petrovic",
    });
    assert.equal(
      assertProblem(response, "missing_parameter").detail,
      "username_or_url is required in the request body; username_or_url was sent in the query string",
    );
  });

  test("a parameter in both the query and the body of a POST is refused by name", async () => {
    const send = (query: string, body: string) =>
      sendRequest(server.url, {
        method: "POST",
        path: `/api/photoshare/get-profile-v2?${query}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });
    const both = await send("username_or_url=somebody.else", "username_or_url=amara.petrovic");
    const { detail, errors } = assertProblem(both, "repeated_parameter");
    assert.equal(detail, "username_or_url in the query string must be sent once, in the request body");
    assert.deepEqual(errors, [
      { in: "query", parameter: "username_or_url", reason: "must be sent once, in the request body" },
    ]);
    assertProblem(
      await send("fields=username", "username_or_url=amara.petrovic&fields=username"),
      "repeated_parameter",
    );
    assert.equal((await send("fields=username&n=1", "username_or_url=amara.petrovic")).status, 200);
  });

  test("a parameter that the operation does not know is ignored and named in a header", async () => {
    const typo = await get(`${PATH}?contry=FR`);
    assert.equal(typo.status, 200);
    assert.equal(typo.header("ignored-parameters"), "contry");
    assert.equal((await get(`${PATH}?country=US&fields=country`)).header("ignored-parameters"), null);
    const odd = await get(`${PATH}?${new URLSearchParams({ "é,\r\n": "1", b: "2" }).toString()}`);
    assert.equal(odd.header("ignored-parameters"), "%C3%A9%2C%0D%0A, b");
    const many = await get(`${PATH}?${Array.from({ length: 40 }, (_, index) => `p${index}`).join("&")}`);
    assert.equal(many.header("ignored-parameters"), "p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, ...");
    const cached = await get(`${PATH}?contry=FR`);
    assert.equal(cached.header("ignored-parameters"), "contry", "also from the cache");
    const posted = await requestOperation(server.url, "photoshare/get-posts", {
      username_or_url: "amara.petrovic",
      amout: "3",
    });
    assert.equal(posted.header("ignored-parameters"), "amout");
  });

  for (const [path, meant] of [
    ["/api/longvideo/trendin", "/api/longvideo/trending"],
    ["/longvideo/trending", "/api/longvideo/trending"],
    ["/api/longvideo/trending/", "/api/longvideo/trending"],
    ["/api/shortvideo/posts/detail?videoId=1", "/api/shortvideo/post/detail"],
    ["/api/music/posts", "/api/shortvideo/music/posts"],
    ["/API/History", "/api/history"],
  ] as const) {
    test(`${path} suggests ${meant}`, async () => {
      const { detail } = assertProblem(await get(path), "unknown_path");
      assert.equal(detail, `no such path: ${path.replace(/\?.*/, "")}; did you mean ${meant}?`);
    });
  }

  test("a path like no other leads to the reference", async () => {
    assert.equal(
      assertProblem(await get("/wp-login.php"), "unknown_path").detail,
      "no such path: /wp-login.php; see /docs/ for all paths",
    );
  });

  test("GET on an address for uploads says how to upload, without the token in it", async () => {
    const secret = "tt_secretsecret";
    for (const path of [`/ingest/${secret}`, `/ingest/${secret}/`, `//ingest/${secret}/x`]) {
      const response = await get(path);
      assert.match(assertProblem(response, "unknown_path", path).detail, /^\/ingest\/… is for uploads: POST files to/);
      assert.ok(!response.text.includes(secret));
    }
    for (const path of [`/ingest/${secret}/api/import-dataset/`, "/ingest/files"]) {
      const response = await get(path);
      const { detail } = assertProblem(response, "method_not_allowed", path);
      assert.match(detail, /allows OPTIONS, POST, not GET; POST files to \/ingest\/files/);
      assert.equal(response.header("allow"), "OPTIONS, POST");
      assert.ok(!response.text.includes(secret));
    }
  });
});
