/** A PostgreSQL primary that dies while it is written to: a node goes on reading from a replica, and changes nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { readScopesFor } from "#auth/scopes.ts";
import { loadOrCreatePepper } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import { readConfig } from "#config";
import { PLATFORMS } from "#platforms/registry.ts";
import { type StartedService, start } from "#serve/start.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { type HttpResponse, requestOperation, sendRequest } from "./http-client.ts";
import { type Cluster, startCluster } from "./postgres/cluster.ts";
import { LATE_FLUSHES, writeUntilGone } from "./postgres/unflushed-log.ts";
import { assertProblem, type Problem } from "./problem.ts";
import { temporaryFolder } from "./test-server.ts";
import { bearerHeader } from "./test-tokens.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const LOOKUP = "shortvideo/user/info-with-region";
const READ = readScopesFor(PLATFORMS.map(({ name }) => name));
/** Longer than the lag allowed to records and to tokens. */
const OUTAGE_MS = 5_000;
/** A confirmed token is cached for a second. */
const CACHED_MS = 1_500;

describe("a primary that is killed during writes", () => {
  const folder = temporaryFolder();
  const logFile = join(folder.path, "log");
  let cluster: Cluster;
  let url: string;
  let node: StartedService;
  let reader: string;
  let owner: string;
  let revoked: string;

  before(async () => {
    cluster = await startCluster(LATE_FLUSHES);
    const database = await cluster.freshDatabase();
    ({ url } = database);
    const pepperFile = join(folder.path, "pepper");
    const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    const registry = new TokenRegistry(store.tokens, loadOrCreatePepper(pepperFile).tokens);
    const issue = async (...scopes: string[]) => (await registry.create({ label: "for a test", scopes })).token;
    reader = await issue(...READ);
    owner = await issue(...READ, "ingest", "admin");
    const { token, record } = await registry.create({ label: "for a test", scopes: READ });
    revoked = token;
    await registry.revoke(record.keyId);
    await store.close();
    const config = readConfig({
      PORT: "0",
      DATA_DIR: join(folder.path, "node"),
      STORE_URL: url,
      STORE_REPLICA_URLS: database.replicaUrls.join(","),
      PEPPER_FILE: pepperFile,
      CACHE_MB: "0",
      RATE_LIMIT: "off",
      DEMO: "off",
      LOG_LEVEL: "error",
      LOG_FILE: logFile,
    });
    if (config.store !== null) config.store.timeoutFactor = TEST_TIMEOUT_FACTOR;
    node = await start(config);
  });
  after(async () => {
    await node.stop();
    await cluster.stop();
    folder.remove();
  });

  const address = () => node.startup.url;
  const read = (token: string): Promise<HttpResponse> =>
    requestOperation(address(), LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, bearerHeader(token));
  const administer = () => sendRequest(address(), { path: "/admin/tokens", headers: bearerHeader(owner) });
  const upload = () =>
    sendRequest(address(), {
      method: "POST",
      path: "/ingest/files",
      headers: { ...bearerHeader(owner), "content-type": "application/x-ndjson" },
      body: "{}\n",
    });

  test("reads go on with stored tokens, and nothing may be changed", async () => {
    await until(async () => (await read(reader)).status === 200);
    assert.equal((await administer()).status, 200);
    assert.equal((await read(revoked)).status, 401);
    const writing = writeUntilGone(url);
    // Longer than the lag that is allowed.
    await sleep(3_000);
    let endsAt = Number.POSITIVE_INFINITY;
    const answers = new Map<string, number>();
    const readOn = async (token: string) => {
      while (performance.now() < endsAt) {
        const answer = await read(token).then(
          ({ status, text }) => (status === 200 ? "200" : (JSON.parse(text) as Problem).detail),
          (error: unknown) => String(error),
        );
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    const reading = [reader, owner, reader, owner].map(readOn);
    await cluster.primary.kill();
    const killedAt = performance.now();
    endsAt = killedAt + OUTAGE_MS;
    await writing;
    await sleep(CACHED_MS);
    const refused = [await administer(), await upload()];
    const ended = await read(revoked);
    await Promise.all(reading);
    assert.deepEqual([...answers.keys()], ["200"]);
    for (const response of refused) {
      assertProblem(response, "service_unavailable");
      assert.match(response.text, /cannot verify the token: the primary database is unreachable/);
      assert.equal(response.header("retry-after"), "1");
    }
    assertProblem(ended, "invalid_token");
    reportClaim(
      "A primary that is killed during writes takes no reads with it",
      `${answers.get("200")} reads with stored tokens in ${OUTAGE_MS / 1000} s, none failed`,
    );
    await cluster.primary.resume();
    await until(async () => (await administer()).status === 200);
  });

  test("the log names the outage without stack traces", async () => {
    const isNamed = (line: string) => line.includes("the server is down");
    const lines = await until(async () => {
      const text = readFileSync(logFile, "utf8");
      return isNamed(text) && text.split("\n").filter(isNamed);
    });
    for (const line of lines) assert.ok(!line.includes("    at "), line);
  });
});
