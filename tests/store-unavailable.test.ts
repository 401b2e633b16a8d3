/** The service while servers of its store lag, end and stand still: right answers, or 503 and when to try again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { loadOrCreatePepper } from "#auth/secrets.ts";
import { type IssuedToken, TokenRegistry } from "#auth/tokens.ts";
import { type StartedService, start } from "#serve/start.ts";
import { readConfig } from "#config";
import { toUnit } from "#store/write/batch-changes.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TOKEN, temporaryFolder } from "./test-server.ts";
import { type Cluster, startCluster } from "./postgres/cluster.ts";
import type { Server } from "./postgres/server.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader } from "./test-tokens.ts";
import { requestOperation, sendRequest, type HttpResponse } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const LOOKUP = "shortvideo/user/info-with-region";
const LIST = "shortvideo/music/posts";
/** Higher than any test takes: what a primary wrote right before it hangs never reaches its replicas, which lag from then on. */
const MAX_LAG_S = 100;
/** A server that is slow because other tests keep the machine busy is not one that stands still. */
const TIMEOUT_FACTOR = 3;

async function until(reached: () => Promise<boolean>): Promise<void> {
  // Each look opens a connection or sends a request: more of them would take the processor from what is waited for.
  while (!(await reached())) await sleep(50);
}

/** What a caller may get: what is right, or that it is to come back. */
function assertRightOrLater(response: HttpResponse, right: HttpResponse): void {
  if (response.status !== 503) {
    assert.equal(response.status, right.status, response.text);
    assert.equal(response.text, right.text);
    return;
  }
  assertProblem(response, "service_unavailable");
  assert.equal(response.header("retry-after"), "1");
}

describe("a service whose servers go away", () => {
  const folder = temporaryFolder();
  const pepperFile = join(folder.path, "pepper");
  let cluster: Cluster;
  let urls: { url: string; replicaUrls: string[] };
  /** Of the one who administers. */
  let store: Store;
  let registry: TokenRegistry;
  let node: StartedService;

  const startNode = (settings: Record<string, string>): Promise<StartedService> => {
    const config = readConfig({
      PORT: "0",
      DATA_DIR: folder.path,
      STORE_URL: urls.url,
      // A response that is not a second old would be sent without a server.
      CACHE_MB: "0",
      STORE_REPLICA_URLS: urls.replicaUrls.join(","),
      STORE_MAX_LAG_S: String(MAX_LAG_S),
      PEPPER_FILE: pepperFile,
      API_TOKEN: TEST_TOKEN,
      DEMO: "off",
      LOG_LEVEL: "silent",
      ...settings,
    });
    if (config.store !== null) config.store.timeoutFactor = TIMEOUT_FACTOR;
    return start(config);
  };

  before(async () => {
    cluster = await startCluster();
    urls = await cluster.freshDatabase();
    store = await openPostgresStore({
      url: urls.url,
      applicationName: "administration",
      timeoutFactor: TIMEOUT_FACTOR,
    });
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    registry = new TokenRegistry(store.tokens, loadOrCreatePepper(pepperFile).tokens);
    node = await startNode({ RATE_LIMIT: "off" });
    await untilReplicasAnswer();
  });
  afterEach(async () => {
    await cluster.repair();
    // Until its next check, a store takes a server for down that is back.
    await until(() =>
      store.tokens.listTokens().then(
        () => true,
        () => false,
      ),
    );
    await untilReplicasAnswer();
  });
  after(async () => {
    await node.stop();
    await store.close();
    await cluster.stop();
    folder.remove();
  });

  const all = (): Server[] => [cluster.primary, ...cluster.replicas];
  const question = (name: string, headers = {}): Promise<HttpResponse> =>
    requestOperation(node.startup.url, name, GOOD_REQUESTS[name] ?? {}, headers);
  const readiness = () => sendRequest(node.startup.url, { path: "/readyz", headers: { authorization: null } });
  const issue = (): Promise<IssuedToken> => registry.create({ label: "for a test", scopes: ["read:shortvideo"] });

  /** Each replica is read from. */
  async function untilReplicasAnswer(ask = () => question(LOOKUP)): Promise<void> {
    for (const url of urls.replicaUrls) {
      const readBefore = await lastReadAt(url);
      await until(async () => {
        await ask();
        return (await lastReadAt(url)) > readBefore;
      });
    }
  }

  async function askAround(work: () => Promise<void>): Promise<HttpResponse[]> {
    const names = [LOOKUP, LIST];
    const right = await Promise.all(names.map((name) => question(name)));
    for (const { status, text } of right) assert.equal(status, 200, text);
    const responses: HttpResponse[] = [];
    const ending = new AbortController();
    const callers = [0, 1, 2, 3].map(async (caller) => {
      const number = caller % names.length;
      while (!ending.signal.aborted) {
        const response = await question(names[number] ?? "");
        assertRightOrLater(response, right[number] as HttpResponse);
        responses.push(response);
        await sleep(15);
      }
    });
    try {
      await work();
    } finally {
      ending.abort();
      await Promise.all(callers);
    }
    return responses;
  }

  test("a primary that ends and comes back costs no reader an answer", async () => {
    const responses = await askAround(async () => {
      await cluster.primary.halt();
      assert.equal((await readiness()).status, 200);
      await cluster.primary.resume();
    });
    assert.ok(responses.length > 0 && responses.every(({ status }) => status === 200));
  });

  test("a primary that stands still costs no reader an answer", async () => {
    const responses = await askAround(async () => {
      await cluster.primary.freeze();
      await assert.rejects(registry.create({ label: "too late", scopes: ["ingest"] }), { code: "service_unavailable" });
      assert.equal((await readiness()).status, 200);
      await cluster.primary.thaw();
    });
    assert.ok(responses.length > 0 && responses.every(({ status }) => status === 200));
  });

  test("with default rate limits replicas answer too while the primary is away, also to a token that the node has not met", async () => {
    const { token, record } = await issue();
    await untilReplicasHold(record.keyId, false);
    const limited = await startNode({});
    try {
      const ask = (headers = {}) => requestOperation(limited.startup.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, headers);
      await untilReplicasAnswer(() => ask());
      await cluster.primary.halt();
      for (let request = 0; request < 20; request++) {
        for (const response of [await ask(), await ask(bearerHeader(token))]) {
          assert.equal(response.status, 200, response.text);
          assert.match(response.header("ratelimit") ?? "", /^"burst";r=\d+/, "limits still hold");
        }
      }
    } finally {
      await cluster.primary.resume();
      await limited.stop();
    }
  });

  test("replicas that end or stand still cost no reader an answer", async () => {
    for (const replica of cluster.replicas) {
      const responses = await askAround(async () => {
        await replica.freeze();
        await Promise.all([LOOKUP, LIST, LOOKUP, LIST].map((name) => question(name)));
        await replica.thaw();
        await replica.halt();
        await Promise.all([LOOKUP, LIST, LOOKUP, LIST].map((name) => question(name)));
        await replica.resume();
      });
      assert.ok(responses.every(({ status }) => status === 200));
    }
  });

  test("what is to be written waits for a primary that was away for a moment, and is refused when it stays away", async () => {
    const [first] = WORLD;
    const writing = () => store.writer.write([toUnit(first?.platform ?? "", first?.batch ?? {})]);
    await cluster.primary.halt();
    // Which it may do before anybody knows that the primary is away.
    await assert.rejects(writing(), { code: "service_unavailable" });
    const waiting = writing();
    await cluster.primary.resume();
    await waiting;
    await cluster.primary.halt();
    await writing().catch(() => undefined);
    await assert.rejects(writing(), { code: "service_unavailable" });
    await cluster.primary.resume();
    await writing();
  });

  test("without any server there is 503 and when to try again, and all is well again by itself", async () => {
    for (const [away, back] of [
      ["halt", "resume"],
      ["freeze", "thaw"],
    ] as const) {
      for (const server of all().toReversed()) await server[away]();
      for (const response of await Promise.all([question(LOOKUP), question(LIST), readiness()])) {
        assertProblem(response, "service_unavailable");
        assert.equal(response.header("retry-after"), "1");
      }
      const call = { name: "shortvideo_music_posts", arguments: GOOD_REQUESTS[LIST] };
      const { text } = await sendRequest(node.startup.url, {
        method: "POST",
        path: "/mcp",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
      });
      assert.match(text, /\(service_unavailable, request_id [\w-]+\)/);
      for (const server of all()) await server[back]();
      await until(async () => (await readiness()).status === 200);
      await until(async () => (await question(LIST)).status === 200);
    }
  });

  test("a token is honoured without the primary; one that no replica knows is neither honoured nor denied", async () => {
    const { token, record } = await issue();
    assert.equal((await question(LOOKUP, bearerHeader(token))).status, 200);
    const revoked = await issue();
    await registry.revoke(revoked.record.keyId);
    await untilReplicasHold(revoked.record.keyId, true);
    await untilReplicasHold(record.keyId, false);
    await execute(urls.replicaUrls, "SELECT pg_wal_replay_pause()");
    const unheard = await issue();
    await cluster.primary.halt();
    await until(async () => (await question(LOOKUP, bearerHeader(unheard.token))).status === 503);
    assertProblem(await question(LOOKUP, bearerHeader(unheard.token)), "service_unavailable");
    await execute(urls.replicaUrls, "SELECT pg_wal_replay_resume()");
    await until(async () => (await question(LOOKUP, bearerHeader(unheard.token))).status === 200);
    assert.equal((await question(LOOKUP, bearerHeader(token))).status, 200);
    assertProblem(await question(LOOKUP, bearerHeader(revoked.token)), "invalid_token");
  });

  async function untilReplicasHold(keyId: string, revoked: boolean): Promise<void> {
    const condition = `key_id = '${keyId}' AND (revoked_at IS NOT NULL) = ${revoked}`;
    for (const url of urls.replicaUrls) {
      await until(async () => (await rowsOf(url, `SELECT 1 FROM tokens WHERE ${condition}`)).length === 1);
    }
  }
});

async function execute(urls: readonly string[], statement: string): Promise<void> {
  for (const url of urls) await rowsOf(url, statement);
}

async function rowsOf(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

/** When a node last read records there; 0 if it has not. Known at once, while the counts of reads come a second late. */
async function lastReadAt(url: string): Promise<number> {
  const [row] = await rowsOf(
    url,
    `SELECT coalesce(extract(epoch FROM max(query_start)), 0)::float8 AS at FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%records%'`,
  );
  return Number(row?.["at"] ?? 0);
}
