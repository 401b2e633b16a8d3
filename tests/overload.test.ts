/**
 * More searches than the service can execute: those that it takes are answered soon, the rest are told when to come back, and
 * look-ups, other tokens and probes do not notice.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isQueued } from "#http/execute-operation.ts";
import { IS_FULL } from "#testing/budget.ts";
import { until } from "#testing/until.ts";
import { assertProblem } from "./problem.ts";
import { type HttpResponse, operationNamed, OPERATIONS, requestOperation, sendRequest } from "./http-client.ts";
import { LOOKUP, readMetric } from "./overloaded-service.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";

/** No two of them are the same, so none is answered from the cache. */
let sent = 0;
const search = () => `/api/search?q=street+food&limit=${1 + (sent % 50)}&n=${sent++}`;

describe("searches in a thread", { timeout: 120_000 }, () => {
  let server: TestServer;
  let issuer: TokenIssuer;
  before(async () => {
    server = await startTestServer("demo", {
      SEARCH_THREADS: "1",
      SEARCH_WAIT_MS: "50",
      RATE_LIMIT: "off",
      METRICS: "public",
    });
    issuer = await openTokenIssuer(server);
    await until(async () => (await readMetric(server.url, "triptych_search_threads")) === 1);
  });
  after(async () => {
    await issuer.close();
    await server.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) => sendRequest(server.url, { path, headers });

  function flood(count: number, headers: Record<string, string> = {}): Promise<HttpResponse[]> {
    return Promise.all(Array.from({ length: count }, () => get(search(), headers)));
  }

  test("are answered, or told to retry: nothing else", async () => {
    const shed = async () =>
      (await readMetric(server.url, 'triptych_searches_shed_total{reason="full"}')) +
      (await readMetric(server.url, 'triptych_searches_shed_total{reason="timeout"}'));
    const [shedBefore, startedBefore] = [
      await shed(),
      await readMetric(server.url, "triptych_search_wait_seconds_count"),
    ];
    const responses = await flood(300);
    const rejected = responses.filter(({ status }) => status !== 200);
    assert.ok(rejected.length > 0, "300 searches at once do not fit into 50 ms");
    assert.ok(rejected.length < 300, "some are answered");
    for (const response of rejected) {
      assertProblem(response, "overloaded");
      assert.equal(response.header("retry-after"), "1");
    }
    assert.equal((await shed()) - shedBefore, rejected.length);
    assert.equal(
      (await readMetric(server.url, "triptych_search_wait_seconds_count")) - startedBefore,
      300 - rejected.length,
    );
    assert.equal(await readMetric(server.url, "triptych_searches_waiting"), 0);
  });

  test("with forged page tokens are refused before they wait for a place", async () => {
    const { text } = await get("/api/search?q=street+food&limit=5");
    const token = (JSON.parse(text) as { continuation_token: string }).continuation_token;
    const forged = Array.from({ length: 300 }, (_, index) => {
      const at = index % token.length;
      return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    });
    const started = () => readMetric(server.url, "triptych_search_wait_seconds_count");
    const startedBefore = await started();
    const responses = await Promise.all(
      forged.map((each) => get(`/api/search?q=street+food&limit=5&continuation_token=${each}`)),
    );
    for (const response of responses) assertProblem(response, "invalid_cursor");
    assert.equal((await started()) - startedBefore, 0);
    const general = await get("/api/shortvideo/search/general?keyword=street+food&cursor=10&search_id=forged");
    assert.match(assertProblem(general, "invalid_cursor").detail, /^search_id /);
    assert.equal((await started()) - startedBefore, 0);
  });

  test("are refused after their token is checked, and before their body is read", async () => {
    const { token } = await issuer.issue({ scopes: ["read:shortvideo"] });
    const { path } = operationNamed("photoshare/search");
    const post = (headers: Record<string, string>) =>
      sendRequest(server.url, {
        method: "POST",
        path,
        headers: { ...headers, "content-type": "application/json" },
        body: "{",
      });
    assertProblem(await post(bearerHeader(TEST_TOKEN)), "invalid_body");
    const flooding = new AbortController();
    const senders = Array.from({ length: 20 }, async () => {
      while (!flooding.signal.aborted) await get(search());
    });
    try {
      await until(async () => (await get(search())).status === 503);
      // A place is free for a moment between two searches.
      const posted = await Promise.all(Array.from({ length: 40 }, () => post(bearerHeader(TEST_TOKEN))));
      const refused = posted.filter(({ status }) => status === 503);
      assert.ok(refused.length > 0, "a full queue has no place for a search with a broken body either");
      for (const response of refused) {
        assertProblem(response, "overloaded");
        assert.equal(response.header("retry-after"), "1");
      }
      assertProblem(await post({ authorization: "Bearer tt_wrong" }), "invalid_token");
      assertProblem(await post(bearerHeader(token)), "insufficient_scope");
    } finally {
      flooding.abort();
      await Promise.all(senders);
    }
  });

  test("of one token do not keep another from being answered", async () => {
    const [noisy, quiet] = [await issuer.issue({}), await issuer.issue({})].map(({ token }) => bearerHeader(token));
    const noise = flood(IS_FULL ? 400 : 300, noisy);
    for (let round = 0; round < 10; round++) {
      const { status, text } = await get(search(), quiet);
      assert.equal(status, 200, text);
    }
    const statuses = new Set((await noise).map(({ status }) => status));
    assert.deepEqual(statuses, new Set([200, 503]));
  });

  test("leave look-ups, lists and probes alone", async () => {
    const noise = flood(IS_FULL ? 400 : 200);
    for (let round = 0; round < 10; round++) {
      for (const path of [LOOKUP, "/healthz", "/readyz"]) assert.equal((await get(path)).status, 200, path);
    }
    await noise;
  });

  test("that were answered before are answered from the cache, however many wait", async () => {
    // An answer that is not for its minute only.
    const path = "/api/shortvideo/search/general?keyword=street+food";
    assert.equal((await get(path)).status, 200);
    const noise = flood(IS_FULL ? 200 : 100);
    const cached = await Promise.all(Array.from({ length: 50 }, () => get(path)));
    for (const { status, headers } of cached) {
      assert.equal(status, 200);
      assert.match(String(headers["cache-status"]), /hit/);
    }
    await noise;
  });

  test("see what was erased before they were sent, and revoked tokens are refused", async () => {
    const path = "/api/search?q=nora&platform=shortvideo&kind=account";
    const { token, record } = await issuer.issue({});
    assert.match((await get(path, bearerHeader(token))).text, /nora\.lindqvist/);
    const store = await server.openStore();
    try {
      const account = await store.reader("shortvideo").getAccountByName("nora.lindqvist");
      assert.ok(account);
      await store.writer.erase("shortvideo", "account", account.id);
    } finally {
      await store.close();
    }
    const later = await get(path, bearerHeader(token));
    assert.equal(later.status, 200);
    assert.doesNotMatch(later.text, /nora\.lindqvist/);
    await issuer.registry.revoke(record.keyId);
    await until(async () => (await get(path, bearerHeader(token))).status === 401, 10_000);
  });
});

interface AnyRequest {
  name: string;
  parameters: Record<string, string>;
  headers: Record<string, string>;
}

/** Differs between two requests for the same thing: ids, clocks, signed tokens. */
const VOLATILE = /^(?:request_id|logid|now|search_request_id|impr_id|rank_token|continuation_token|pagination_token)$/;

test("a thread answers as the main thread does", { timeout: 120_000 }, async () => {
  const settings = { RATE_LIMIT: "off", CACHE_MB: "0", METRICS: "public" };
  const inThread = await startTestServer("demo", { ...settings, SEARCH_THREADS: "1", SEARCH_WAIT_MS: "60000" });
  const here = await startTestServer([], { ...settings, ...inThread.env, SEARCH_THREADS: "0" });
  try {
    const searches = OPERATIONS.filter(isQueued);
    assert.ok(searches.length >= 8);
    const requests = searches.flatMap(({ name, endpoint: { example } }): AnyRequest[] => [
      { name, parameters: example, headers: {} },
      { name, parameters: example, headers: { prefer: "unknown=null" } },
      { name, parameters: { ...example, fields: "nonsense" }, headers: {} },
      { name, parameters: { ...example, limit: "0", count: "0", cursor: "x" }, headers: {} },
      { name, parameters: {}, headers: {} },
    ]);
    // Until it is ready, the main thread answers.
    await until(async () => (await readMetric(inThread.url, "triptych_search_threads")) === 1);
    for (const { name, parameters, headers } of requests) {
      const [one, other] = await Promise.all(
        [inThread, here].map(({ url }) => requestOperation(url, name, parameters, headers)),
      );
      const seen = [one, other].map((response) => ({
        status: response?.status,
        type: response?.header("content-type"),
        captured: response?.header("last-modified"),
        corrected: response?.header("corrected-query"),
        body: JSON.parse(response?.text ?? "", (key, value: unknown) => (VOLATILE.test(key) ? "" : value)) as unknown,
      }));
      assert.deepEqual(seen[0], seen[1], `${name} ${JSON.stringify(parameters)}`);
    }
  } finally {
    await here.close();
    await inThread.close();
  }
});
