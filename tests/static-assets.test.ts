/** The reference costs nothing per request: each of its documents is rendered once and compressed once per encoding. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import fastify from "fastify";
import { perfCounters } from "#domain/perf-counters.ts";
import { registerAsset } from "#http/static-asset.ts";
import { budget } from "#testing/budget.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { sendRequest, namesIn, openSocket, type HttpResponse } from "./http-client.ts";
import { WORLD } from "./world.ts";

const TIMEOUT = { timeout: 60_000 };
const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
const ENCODINGS = Object.keys(DECODERS) as (keyof typeof DECODERS)[];
const CONCURRENT = budget("assetRequests");
const SLOW_CLIENTS = 50;

/** Those that are large enough are compressed. */
const ASSETS: Record<string, { type: string; isCompressed: boolean }> = {
  "/openapi.json": { type: "application/json; charset=utf-8", isCompressed: true },
  "/docs/": { type: "text/html; charset=utf-8", isCompressed: false },
  "/docs/js/start.js": { type: "text/javascript; charset=utf-8", isCompressed: false },
  "/docs/js/scalar.js": { type: "text/javascript; charset=utf-8", isCompressed: true },
  "/docs/errors": { type: "text/html; charset=utf-8", isCompressed: true },
  "/docs/guides/search": { type: "text/html; charset=utf-8", isCompressed: true },
  "/favicon.svg": { type: "image/svg+xml", isCompressed: false },
};

describe("static assets", TIMEOUT, () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD);
  });
  after(() => server.close());

  const request = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<HttpResponse> =>
    sendRequest(server.url, { method, path, headers: { authorization: null, ...headers } });

  for (const [path, { type, isCompressed }] of Object.entries(ASSETS)) {
    test(`${path} is rendered once and compressed once per encoding, however many ask`, async () => {
      const { assetsRendered: rendered, bodiesCompressed: compressed } = perfCounters;
      for (const encoding of ENCODINGS) {
        const earlier = perfCounters.bodiesCompressed;
        const responses = await Promise.all(
          Array.from({ length: CONCURRENT }, () => request(path, { "accept-encoding": encoding }, "HEAD")),
        );
        for (const response of responses)
          assert.deepEqual(
            [response.status, response.header("content-encoding")],
            [200, isCompressed ? encoding : null],
          );
        assert.equal(perfCounters.bodiesCompressed - earlier, isCompressed ? 1 : 0, encoding);
      }
      await request(path);
      assert.equal(perfCounters.assetsRendered - rendered, 1);
      assert.equal(perfCounters.bodiesCompressed - compressed, isCompressed ? ENCODINGS.length : 0);
    });

    test(`${path} is the same document in every encoding, for GET, HEAD and If-None-Match`, async () => {
      const plain = await request(path);
      const etag = plain.header("etag") ?? "";
      assert.equal(plain.status, 200);
      assert.equal(plain.header("content-type"), type);
      assert.match(plain.header("cache-control") ?? "", /^public, max-age=\d+$/);
      assert.match(etag, /^W\/"[\w-]{27}"$/);
      for (const encoding of [null, ...ENCODINGS]) {
        const headers: Record<string, string> = encoding === null ? {} : { "accept-encoding": encoding };
        const response = await request(path, headers);
        const sent = isCompressed ? encoding : null;
        assert.equal(response.header("content-encoding"), sent);
        assert.equal(response.header("etag"), etag);
        assert.deepEqual(namesIn(response.header("vary")), ["accept-encoding"]);
        assert.equal(Number(response.header("content-length")), response.body.length);
        assert.ok((sent === null ? response.body : DECODERS[sent](response.body)).equals(plain.body));

        const head = await request(path, headers, "HEAD");
        assert.equal(head.body.length, 0);
        assert.deepEqual(shared(head), shared(response));

        const unchanged = await request(path, { ...headers, "if-none-match": `"other", ${etag}` });
        assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0]);
        for (const name of ["etag", "cache-control", "vary"])
          assert.equal(unchanged.header(name), response.header(name), name);
        assert.equal(unchanged.header("content-encoding"), null);
      }
      assert.equal((await request(path, { "if-none-match": '"other"' })).status, 200);
    });
  }

  test("clients that do not read share the bytes that wait for them", async () => {
    await request("/docs/js/scalar.js", {}, "HEAD");
    const { external } = process.memoryUsage();
    const sockets = await Promise.all(Array.from({ length: SLOW_CLIENTS }, () => openSocket(server.url)));
    try {
      const begun = sockets.map((socket) => once(socket, "data").then(() => socket.pause()));
      for (const socket of sockets) socket.write("GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n");
      await Promise.all(begun);
      const grownMB = (process.memoryUsage().external - external) / 2 ** 20;
      // A copy for each would be 4 MB for each.
      assert.ok(grownMB < SLOW_CLIENTS, `${grownMB.toFixed(1)} MB for ${SLOW_CLIENTS} clients`);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test("pages have no inline script, and their policies allow none", async () => {
    for (const path of ["/docs/", "/docs/errors"]) {
      const page = await request(path);
      for (const [, attributes = "", script = ""] of page.text.matchAll(/<script([^>]*)>([^<]*)/g)) {
        assert.match(attributes, /^ src="js\/[\w.]+"$/);
        assert.equal(script, "");
      }
      const policy = page.header("content-security-policy") ?? "";
      assert.match(policy, /^default-src 'none';/);
      assert.doesNotMatch(policy, /script-src (?!'self';)|nonce|unsafe-eval/);
    }
  });

  test("every script of the page is there", async () => {
    const { text } = await request("/docs/");
    const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, source]) => `/docs/${source}`);
    assert.deepEqual(scripts, ["/docs/js/scalar.js", "/docs/js/start.js"]);
    const [library, start] = await Promise.all(scripts.map((path) => request(path)));
    assert.match(library?.text ?? "", /createApiReference/);
    assert.match(start?.text ?? "", /^Scalar\.createApiReference\("#app", \{/);
  });
});

test("an asset that pages of other origins may read says that it depends on the origin", TIMEOUT, async () => {
  const server = await startTestServer(WORLD, { CORS_ORIGINS: "https://app.example" });
  try {
    const response = await sendRequest(server.url, { path: "/openapi.json" });
    assert.deepEqual(namesIn(response.header("vary")), ["accept-encoding", "origin"]);
  } finally {
    await server.close();
  }
});

/** Headers without those of the request and the clock. */
function shared({ headers }: HttpResponse): Record<string, unknown> {
  const { date: _date, "x-request-id": _id, ...rest } = headers;
  return rest;
}

test("an asset that could not be read is read again for the next request", async () => {
  const app = fastify();
  let reads = 0;
  const render = async () => {
    reads++;
    if (reads !== 2) throw new Error("not yet, or read twice");
    return Buffer.from("there");
  };
  registerAsset(app, { path: "/file", contentType: "text/plain", maxAgeSeconds: 1, render });
  for (const status of [500, 200, 200]) assert.equal((await app.inject("/file")).statusCode, status);
});
