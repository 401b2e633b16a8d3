/** Bodies of 1 KiB and more go out in the encoding that the caller likes best. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { type HttpRequest, namesIn, requestOperation, sendRequest } from "./http-client.ts";
import { GOOD_REQUESTS, LONG_VIDEO, RAIN_SOUND, WORLD } from "./world.ts";

const POSTS = `/api/shortvideo/music/posts?musicId=${RAIN_SOUND}`;

describe("compression", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  const CODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

  test("the encoding is the caller's dearest, and decompresses to the same JSON", async () => {
    const plain = await sendRequest(server.url, { path: POSTS });
    assert.equal(plain.header("content-encoding"), null);
    const wishes: [string, keyof typeof CODERS | null][] = [
      ["gzip", "gzip"],
      ["br", "br"],
      ["zstd", "zstd"],
      ["gzip, br, zstd", "zstd"],
      ["gzip, br", "br"],
      ["gzip;q=1.0, br;q=0.5", "gzip"],
      ["GZIP", "gzip"],
      ["zstd;q=0, gzip;q=0.1", "gzip"],
      ["*", "zstd"],
      ["*;q=0.1, gzip;q=0.2", "gzip"],
      ["gzip;q=0", null],
      ["identity", null],
      ["identity;q=1, gzip;q=0.5", null],
      ["deflate", null],
      ["", null],
      ["gzip;q=nonsense", null],
    ];
    for (const [wish, encoding] of wishes) {
      const response = await sendRequest(server.url, { path: POSTS, headers: { "accept-encoding": wish } });
      assert.equal(response.header("content-encoding"), encoding, wish);
      const body = encoding === null ? response.body : CODERS[encoding](response.body);
      assert.equal(body.toString("utf8"), plain.text, wish);
      assert.equal(response.header("etag"), plain.header("etag"), wish);
      assert.equal(Number(response.header("content-length")), response.body.length, wish);
      if (encoding !== null) assert.ok(response.body.length < plain.body.length, wish);
    }
  });

  test("POST answers are compressed too", async () => {
    const plain = await requestOperation(
      server.url,
      "photoshare/get-posts",
      GOOD_REQUESTS["photoshare/get-posts"] ?? {},
    );
    const packed = await requestOperation(
      server.url,
      "photoshare/get-posts",
      GOOD_REQUESTS["photoshare/get-posts"] ?? {},
      {
        "accept-encoding": "br",
      },
    );
    assert.equal(packed.header("content-encoding"), "br");
    assert.equal(brotliDecompressSync(packed.body).toString("utf8"), plain.text);
  });

  test("bodies below 1 KiB are sent as they are", async () => {
    const response = await requestOperation(
      server.url,
      "shortvideo/download/video",
      GOOD_REQUESTS["shortvideo/download/video"] ?? {},
      { "accept-encoding": "gzip, br, zstd" },
    );
    assert.ok(response.body.length < 1024);
    assert.equal(response.header("content-encoding"), null);
  });

  test("1 KiB is counted in bytes, not in characters", async () => {
    const response = await requestOperation(
      server.url,
      "longvideo/video/subtitles",
      { video_id: "world0000001", lang: "ja" },
      { "accept-encoding": "gzip" },
    );
    assert.equal(response.header("content-encoding"), "gzip", `${response.body.length} bytes were sent as they are`);
  });

  test("batches, feeds and admin routes are compressed too, and caches are told", async () => {
    const desk = await openTokenIssuer(server);
    const feed = (await desk.issue({ scopes: ["feed"] })).token;
    const admin = (await desk.issue({ scopes: ["admin"] })).token;
    await desk.close();
    const lookup = { operation: "longvideo/video/details", parameters: { video_id: LONG_VIDEO } };
    const json = { "content-type": "application/json" };
    const requests = Array.from({ length: 10 }, () => lookup);
    const sent: HttpRequest[] = [
      { method: "POST", path: "/api/batch", headers: json, body: JSON.stringify({ requests }) },
      {
        path: `/feeds/${feed}/posts.atom?platform=photoshare&account=amara.petrovic`,
        headers: { authorization: null },
      },
      { path: "/admin/tokens", headers: bearerHeader(admin) },
    ];
    for (const request of sent) {
      const { path } = request;
      const plain = await sendRequest(server.url, request);
      assert.deepEqual([plain.status, plain.header("content-encoding")], [200, null], `${path} ${plain.text}`);
      assert.ok(plain.body.length >= 1024, path);
      const headers = { ...request.headers, "accept-encoding": "br" };
      const packed = await sendRequest(server.url, { ...request, headers });
      assert.equal(packed.header("content-encoding"), "br", path);
      assert.equal(brotliDecompressSync(packed.body).length, plain.body.length, path);
      for (const response of [plain, packed])
        assert.deepEqual(namesIn(response.header("vary")), ["accept-encoding"], path);
      const etag = packed.header("etag");
      if (etag === null) continue;
      const unchanged = await sendRequest(server.url, { ...request, headers: { ...headers, "if-none-match": etag } });
      assert.equal(unchanged.status, 304);
      assert.deepEqual(namesIn(unchanged.header("vary")), ["accept-encoding"]);
    }
  });

  test("the OpenAPI document is compressed too", async () => {
    const response = await sendRequest(server.url, { path: "/openapi.json", headers: { "accept-encoding": "gzip" } });
    assert.equal(response.header("content-encoding"), "gzip", `${response.body.length} bytes were sent as they are`);
  });
});
