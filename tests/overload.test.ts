/**
 * More searches than the service can execute: those that it takes are answered soon, the rest are told when to come back, and
 * look-ups, other tokens and probes do not notice.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isQueued } from "#http/execute-operation.ts";
import { IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { copyDemoStore } from "#testing/demo-store.ts";
import { makeNode } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { type Answered, sendOpenLoop, sendOpenLoopFromProcess } from "../bench/open-loop.ts";
import { assertProblem } from "./problem.ts";
import { type HttpResponse, OPERATIONS, operationNamed, requestOperation, sendRequest } from "./http-client.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";

const detail = operationNamed("shortvideo/post/detail");
const LOOKUP = `${detail.path}?videoId=${detail.endpoint.example["videoId"]}`;

/** No two of them are the same, so none is answered from the cache. */
let sent = 0;
const search = () => `/api/search?q=street+food&limit=${1 + (sent % 50)}&n=${sent++}`;

/** A sample of `/metrics` by its name and labels. */
async function metricOf(url: string, sample: string): Promise<number> {
  const { text } = await sendRequest(url, { path: "/metrics" });
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
  return Number(line?.slice(sample.length) ?? 0);
}

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
    await until(async () => (await metricOf(server.url, "triptych_search_threads")) === 1);
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
      (await metricOf(server.url, 'triptych_searches_shed_total{reason="full"}')) +
      (await metricOf(server.url, 'triptych_searches_shed_total{reason="timeout"}'));
    const [shedBefore, startedBefore] = [
      await shed(),
      await metricOf(server.url, "triptych_search_wait_seconds_count"),
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
      (await metricOf(server.url, "triptych_search_wait_seconds_count")) - startedBefore,
      300 - rejected.length,
    );
    assert.equal(await metricOf(server.url, "triptych_searches_waiting"), 0);
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
    await until(async () => (await metricOf(inThread.url, "triptych_search_threads")) === 1);
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

/** Words that many records have. Four of them are as much work as common searches of a store of some 300,000 posts. */
const WORDS = "street food market night music dance coffee city morning home light colour garden chess film retro";
const WORDS_PER_SEARCH = 4;

interface Overload {
  /** Searches a second before and after the flood. */
  peaks: [number, number];
  /** At these peaks: what the machine allows. */
  atPeak: { searched: { ms: number }[]; looked: Answered[]; probed: Answered[] };
  flood: Answered[];
  looked: Answered[];
  probed: Answered[];
}

/** Sends ten times as many searches as a new service can execute, beside a neighbour. */
async function overload(seconds: number): Promise<Overload> {
  const folder = temporaryFolder();
  const isCopied = copyDemoStore(folder.path);
  // A process of its own: the clients' work is not the service's.
  const node = await makeNode("overloaded", {
    DATA_DIR: folder.path,
    DEMO: isCopied ? "off" : "on",
    API_TOKEN: TEST_TOKEN,
    LOG_LEVEL: "silent",
    RATE_LIMIT: "off",
    CACHE_MB: "0",
    METRICS: "public",
  });
  try {
    await node.start();
    await until(async () => (await metricOf(node.address, "triptych_search_threads")) > 0);
    const words = WORDS.split(" ");
    const paths = words.map((_, at) => {
      const some = [...words.slice(at), ...words.slice(0, at)].slice(0, WORDS_PER_SEARCH);
      return `/api/search?limit=50&q=${some.join("+OR+")}`;
    });
    const ask = (path: string) => sendRequest(node.address, { path });
    for (const path of paths) assert.equal((await ask(path)).status, 200, "warm");
    const neighbour = (time: number) => {
      const loop = { url: node.address, token: TEST_TOKEN, seconds: time };
      return Promise.all([
        sendOpenLoop({ ...loop, paths: [LOOKUP], perSecond: 20 }),
        sendOpenLoop({ ...loop, paths: ["/healthz"], perSecond: 5 }),
      ]);
    };
    const atPeak: Overload["atPeak"] = { searched: [], looked: [], probed: [] };
    const measurePeak = async () => {
      const peakSeconds = IS_FULL ? 4 : 1;
      const startedAt = performance.now();
      let count = 0;
      const closedLoop = async (first: number) => {
        for (let at = first; performance.now() - startedAt < peakSeconds * 1_000; at++) {
          const sentAt = performance.now();
          assert.equal((await ask(paths[at % paths.length] as string)).status, 200);
          atPeak.searched.push({ ms: performance.now() - sentAt });
          count++;
        }
        return performance.now();
      };
      const [ends, [looked, probed]] = await Promise.all([
        Promise.all([closedLoop(0), closedLoop(5)]),
        neighbour(peakSeconds),
      ]);
      atPeak.looked.push(...looked);
      atPeak.probed.push(...probed);
      return count / ((Math.max(...ends) - startedAt) / 1_000);
    };
    const firstPeak = await measurePeak();
    const loop = { url: node.address, token: TEST_TOKEN, seconds };
    const [flood, [looked, probed]] = await Promise.all([
      sendOpenLoopFromProcess({ ...loop, paths, perSecond: Math.round(10 * firstPeak) }),
      neighbour(seconds),
    ]);
    return { peaks: [firstPeak, await measurePeak()], atPeak, flood, looked, probed };
  } finally {
    await node.stop();
    folder.remove();
  }
}

const MAX_ROUNDS = IS_FULL ? 3 : 1;
/** How much slower than at the peak anything may be on a machine that is slow at the peak already. */
const MAX_SLOWDOWN = 5;

test(
  "at ten times the capacity, what is answered is answered soon, and a neighbour does not notice",
  { timeout: IS_FULL ? 420_000 : 180_000 },
  async () => {
    const seconds = IS_FULL ? 20 : 3;
    let round = await overload(seconds);
    // Peaks that differ by more than a third are of a machine from which other programs took a part meanwhile.
    const isSteady = ({ peaks }: Overload) => Math.min(...peaks) > (Math.max(...peaks) * 2) / 3;
    for (let rounds = 1; rounds < MAX_ROUNDS && !isSteady(round); rounds++) round = await overload(seconds);
    const { peaks, atPeak, flood, looked, probed } = round;
    const admitted = flood.filter(({ status }) => status === 200);
    for (const { status, retryAfter } of flood)
      assert.ok(status === 200 || (status === 503 && retryAfter === "1"), String(status));
    for (const { status } of [...looked, ...probed]) assert.equal(status, 200);
    // A service that is slower after every flood is compared with what it was before.
    const goodput = admitted.length / seconds / (isSteady(round) ? Math.min(...peaks) : peaks[0]);
    const [admittedMs, lookedMs, probedMs] = [admitted, looked, probed].map(p99) as [number, number, number];
    // In a run of claims it is the only test on the machine. Elsewhere others take the processor at any moment: there the
    // bounds are shares of the time that the last search would wait if all of them were queued.
    const queueMs = seconds * 9 * 1_000;
    const bounds = IS_FULL
      ? {
          goodput: 0.7,
          admittedMs: Math.max(250, MAX_SLOWDOWN * p99(atPeak.searched)),
          neighbourMs: Math.max(100, MAX_SLOWDOWN * p99([...atPeak.looked, ...atPeak.probed])),
        }
      : { goodput: 0.2, admittedMs: queueMs / 4, neighbourMs: queueMs / 10 };
    assert.ok(goodput > bounds.goodput, `${goodput} of the peak, ${peaks.join(" and ")} a second`);
    assert.ok(admittedMs < bounds.admittedMs, `${admittedMs} ms, not ${bounds.admittedMs}`);
    assert.ok(
      Math.max(lookedMs, probedMs) < bounds.neighbourMs,
      `look-ups ${lookedMs} ms, probes ${probedMs} ms, not ${bounds.neighbourMs}`,
    );
    reportClaim(
      "At ten times the capacity answered searches stay fast, and the rest are told when to come back",
      `${flood.length} searches in ${seconds} s: ${Math.round(goodput * 100)} % of the peak answered, p99 ${Math.round(admittedMs)} ms, all others 503 with Retry-After; look-ups p99 ${Math.round(lookedMs)} ms, /healthz ${Math.round(probedMs)} ms`,
    );
  },
);

function p99(responses: readonly { ms: number }[]): number {
  return responses.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(responses.length * 0.99)] ?? 0;
}
