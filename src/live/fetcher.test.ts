/** The fetcher against a real TLS server: what it dials, and what it refuses. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Upstream } from "#testing/upstream.ts";
import { type Dial, Fetcher, type FetcherOptions, UpstreamError } from "./fetcher.ts";

const HOST = "api.example";
let upstream: Upstream;
const dials: string[] = [];

before(async () => {
  upstream = await Upstream.start([HOST], () => ({ body: { ok: true } }));
});
after(() => upstream.close());

function createFetcher(options: Partial<FetcherOptions> = {}): Fetcher {
  dials.length = 0;
  const dial = (host: string): Dial => {
    dials.push(host);
    return upstream.dial;
  };
  return new Fetcher({ hosts: [HOST], timeoutMs: 60_000, maxBytes: 1024 * 1024, maxSockets: 16, dial, ...options });
}

async function failure(fetcher: Fetcher, host = HOST, path = "/"): Promise<string> {
  try {
    await fetcher.fetch({ host, path, headers: {} });
  } catch (error) {
    return (error as Error).message;
  } finally {
    fetcher.close();
  }
  return "no failure";
}

describe("fetcher", () => {
  test("it gets and posts over TLS, with the name of the host", async () => {
    const fetcher = createFetcher();
    upstream.reset(({ method, host, body }) => ({ body: { method, host, body } }));
    const got = await fetcher.fetch({ host: HOST, path: "/a?b=c", headers: {} });
    assert.deepEqual([got.status, JSON.parse(got.body)], [200, { method: "GET", host: HOST, body: "" }]);
    const posted = await fetcher.fetch({ host: HOST, path: "/", headers: {}, body: "{}" });
    assert.deepEqual(JSON.parse(posted.body), { method: "POST", host: HOST, body: "{}" });
    fetcher.close();
  });

  test("no other host is ever dialled, whatever the host or path looks like", async () => {
    for (const host of ["evil.example", "127.0.0.1", "api.example:22", "API.example", "api.example@127.0.0.1", ""])
      assert.match(await failure(createFetcher(), host), /is no host of this source/);
    assert.match(await failure(createFetcher(), HOST, "@evil.example/"), /is no host of this source/);
    assert.deepEqual(dials, []);
  });

  test("a redirect is not followed, not even to the same host", async () => {
    for (const location of ["http://169.254.169.254/latest", "https://127.0.0.1:1/", "file:///etc/passwd", "/again"]) {
      upstream.reset(() => ({ status: 302, headers: { location } }));
      assert.equal(await failure(createFetcher()), "redirected the request elsewhere");
      assert.deepEqual([dials, upstream.calls.length], [[HOST], 1]);
    }
  });

  test("a server without the certificate of the host gets no request", async () => {
    upstream.reset();
    const fetcher = createFetcher({ hosts: ["other.example"] });
    assert.match(await failure(fetcher, "other.example"), /^could not be reached \(ERR_TLS_CERT_ALTNAME_INVALID\)$/);
    const { ca: _ca, ...untrusted } = upstream.dial;
    assert.match(await failure(createFetcher({ dial: () => untrusted })), /^could not be reached \(\w+\)$/);
    assert.equal(upstream.calls.length, 0);
  });

  test("an answer that is too large is cut off, said to be or not", async () => {
    upstream.reset(() => "flood");
    assert.equal(await failure(createFetcher()), "sent more than 1 MiB");
    upstream.reset(() => ({ headers: { "content-length": String(1024 ** 3) }, body: " " }));
    assert.equal(await failure(createFetcher()), "sent more than 1 MiB");
  });

  test("one that hangs, drips or changes the protocol is given up after the timeout", async () => {
    for (const how of ["hang", "drip", "upgrade"] as const) {
      upstream.reset(() => how);
      assert.equal(await failure(createFetcher({ timeoutMs: 200 })), "did not answer within 0.2 s");
    }
  });

  test("a compressed answer is refused, and a connection that breaks off may be tried again", async () => {
    upstream.reset(() => ({ headers: { "content-encoding": "gzip" }, body: "x" }));
    assert.equal(await failure(createFetcher()), "sent a compressed answer");
    for (const reply of ["reset", { headers: { "content-length": "9", connection: "close" }, body: "{}" }] as const) {
      upstream.reset(() => reply);
      const fetcher = createFetcher();
      await assert.rejects(
        fetcher.fetch({ host: HOST, path: "/", headers: {} }),
        (error) => error instanceof UpstreamError && error.isTransient && /ECONNRESET/.test(error.message),
      );
      fetcher.close();
    }
  });
});
