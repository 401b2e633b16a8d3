/** Three services on one PostgreSQL: whatever one of them is told holds for all. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { loadOrCreatePepper } from "#auth/secrets.ts";
import { type IssuedToken, TokenRegistry, type TokenRequest } from "#auth/tokens.ts";
import { type StartedService, start } from "#serve/start.ts";
import { readConfig } from "#config";
import { toUnit } from "#store/write/batch-changes.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { TEST_TOKEN, temporaryFolder } from "./test-server.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { startServer } from "./postgres/server.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader } from "./test-tokens.ts";
import { requestOperation, sendRequest, type HttpResponse } from "./http-client.ts";
import { AMARA, GOOD_REQUESTS, INES, WORLD } from "./world.ts";

const LOOKUP = "shortvideo/user/info-with-region";
/** A 25th of the limit is reported out of turn; as much again may be spent until the answer comes. */
const INTERVAL_WORTH = 80;
const SCOPES = ["read:shortvideo", "read:longvideo", "read:photoshare", "read:personal"];

describe("several nodes on one PostgreSQL", () => {
  const folder = temporaryFolder();
  const pepperFile = join(folder.path, "pepper of all");
  let database: { url: string; drop: () => Promise<void> };
  /** Of the one who administers: a process of its own, as the command line is. */
  let store: Store;
  let registry: TokenRegistry;
  let nodes: StartedService[] = [];

  const startNode = (name: string, env: Record<string, string> = {}) => {
    const config = readConfig({
      PORT: "0",
      DATA_DIR: join(folder.path, name),
      STORE_URL: database.url,
      PEPPER_FILE: pepperFile,
      API_TOKEN: TEST_TOKEN,
      DEMO: "off",
      LOG_LEVEL: "silent",
      ...env,
    });
    // The server of all tests may be busy with others; one that is gone must be noticed in time.
    if (config.store?.url === database.url) config.store.timeoutFactor = TEST_TIMEOUT_FACTOR;
    return start(config);
  };

  before(async () => {
    database = await freshStoreDatabase();
    store = await openPostgresStore({ url: database.url, timeoutFactor: TEST_TIMEOUT_FACTOR });
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    await store.writer.refreshTrends();
    registry = new TokenRegistry(store.tokens, loadOrCreatePepper(pepperFile).tokens);
    nodes = await Promise.all(["a", "b", "c"].map((name) => startNode(name)));
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await store.close();
    await database.drop();
    folder.remove();
  });

  const addresses = () => nodes.map(({ startup: welcome }) => welcome.url);
  const issue = (request: Partial<TokenRequest> = {}): Promise<IssuedToken> =>
    registry.create({ label: "for a test", scopes: SCOPES, ...request });
  const lookUp = (address: string, token: string): Promise<HttpResponse> =>
    requestOperation(address, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, bearerHeader(token));

  /** Asks each node until it answers so. */
  async function untilAll(token: string, status: number): Promise<HttpResponse[]> {
    return Promise.all(
      addresses().map(async (address) => {
        for (;;) {
          const response = await lookUp(address, token);
          if (response.status === status) return response;
          await sleep(20);
        }
      }),
    );
  }

  async function usedToday(keyId: string): Promise<number | undefined> {
    const client = new Client(database.url);
    await client.connect();
    const { rows } = await client.query("SELECT used::int FROM rate_balances WHERE key_id = $1", [keyId]);
    await client.end();
    return (rows as { used: number }[])[0]?.used;
  }

  test("a token that is made or revoked anywhere is so everywhere, within 5 s and for cached responses too", async () => {
    const { token, record } = await issue();
    for (const address of [...addresses(), ...addresses()]) assert.equal((await lookUp(address, token)).status, 200);
    for (const address of addresses()) assert.match((await lookUp(address, token)).header("cache-status") ?? "", /hit/);
    await registry.revoke(record.keyId);
    const revokedAt = performance.now();
    let lastAcceptedMs = 0;
    const refused = addresses().map(async (address) => {
      for (;;) {
        const sentMs = performance.now() - revokedAt;
        const response = await lookUp(address, token);
        if (response.status === 401) return assertProblem(response, "invalid_token");
        lastAcceptedMs = Math.max(lastAcceptedMs, sentMs);
        await sleep(20);
      }
    });
    await Promise.all(refused);
    // Sent before the time was over, whatever the machine did meanwhile.
    assert.ok(lastAcceptedMs < 5_000, `accepted ${lastAcceptedMs} ms later`);
    reportClaim(
      "A revoked token stops on every node within 5 s",
      `last accepted ${Math.round(lastAcceptedMs)} ms after on ${nodes.length} nodes, cached answers too`,
    );
  });

  test("a session that is signed out on one node has ended on all, alone or everywhere", async () => {
    const { token } = await issue();
    const cookieFrom = async (address: string) => {
      const response = await sendRequest(address, {
        method: "POST",
        path: "/admin/session",
        headers: { authorization: null, "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
      assert.equal(response.status, 201, response.text);
      return String(response.header("set-cookie")).split(";")[0] ?? "";
    };
    const send = (address: string, cookie: string, method = "GET", query = "") =>
      sendRequest(address, { method, path: `/admin/session${query}`, headers: { authorization: null, cookie } });
    const [first = "", second = "", third = ""] = addresses();
    const cookies = [await cookieFrom(first), await cookieFrom(second), await cookieFrom(third)];
    const [one = "", two = "", three = ""] = cookies;
    for (const address of addresses())
      for (const cookie of cookies) assert.equal((await send(address, cookie)).status, 200);
    let lastAcceptedMs = 0;
    const untilRefused = async (cookie: string, endedAt: number) => {
      for (const address of addresses()) {
        for (;;) {
          const sentMs = performance.now() - endedAt;
          if ((await send(address, cookie)).status === 401) break;
          lastAcceptedMs = Math.max(lastAcceptedMs, sentMs);
          await sleep(20);
        }
      }
    };
    assert.equal((await send(first, one, "DELETE")).status, 200);
    await untilRefused(one, performance.now());
    for (const address of addresses()) assert.equal((await send(address, two)).status, 200);
    assert.equal((await send(second, two, "DELETE", "?everywhere=true")).status, 200);
    const endedAt = performance.now();
    const later = await cookieFrom(third);
    // Accepted at once also by a node that has not heard yet.
    for (const address of addresses()) assert.equal((await send(address, later)).status, 200);
    for (const cookie of cookies) await untilRefused(cookie, endedAt);
    for (const address of addresses()) assert.equal((await send(address, three)).status, 401);
    assert.ok(lastAcceptedMs < 5_000, `accepted ${lastAcceptedMs} ms later`);
    reportClaim(
      "A session that is signed out has ended on every node",
      `last accepted ${Math.round(lastAcceptedMs)} ms after on ${nodes.length} nodes; signed out everywhere, 3 of 3 sessions were refused`,
    );
  });

  test("a page that one node began is continued by the others", async () => {
    const pages = new Set<string>();
    let token: string | undefined;
    for (const address of addresses()) {
      const parameters = { username_or_url: AMARA.name ?? "", amount: "5" };
      const page = await requestOperation(
        address,
        "photoshare/get-posts",
        token === undefined ? parameters : { ...parameters, pagination_token: token },
      );
      assert.equal(page.status, 200, page.text);
      pages.add(page.text);
      token = /"pagination_token":"([^"]+)"/.exec(page.text)?.[1];
      if (token === undefined) break;
    }
    assert.ok(pages.size >= 2, "more than one page, each its own");
  });

  test("what is erased through one node is gone from all", async () => {
    const { token } = await issue();
    for (const address of addresses()) assert.equal((await lookUp(address, token)).status, 200);
    await store.writer.erase("shortvideo", "account", INES.id);
    for (const response of await untilAll(token, 404)) assertProblem(response, "account_not_found");
  });

  test("their limits are one limit, with at most one interval's worth a node on top", async () => {
    const { token } = await issue({ limits: { burst: 1_000_000, daily: 1_000 } });
    let units = 0;
    const client = async (address: string) => {
      for (;;) {
        const response = await lookUp(address, token);
        if (response.status === 429) return;
        assert.ok(response.status === 200 || response.status === 404, response.text);
        units += 1;
      }
    };
    await Promise.all(addresses().flatMap((address) => Array.from({ length: 4 }, () => client(address))));
    assert.ok(units >= 1_000 && units <= 1_000 + 3 * INTERVAL_WORTH, `${units}`);
  });

  test("while nodes cannot exchange, requests neither wait nor fail, and what they cost is reported afterwards", async () => {
    const { token, record } = await issue({ limits: { burst: 10_000, daily: 100_000 } });
    const [address = ""] = addresses();
    assert.equal((await lookUp(address, token)).status, 404);
    const locker = new Client(database.url);
    await locker.connect();
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE rate_balances");
    const begin = performance.now();
    for (let count = 0; count < 100; count++) {
      const response = await lookUp(address, token);
      assert.equal(response.status, 404, response.text);
      assert.match(response.header("ratelimit") ?? "", new RegExp(`"daily";r=${100_000 - 2 - count};`));
    }
    // A statement that waits for the lock is given up after a second.
    await until(async () => performance.now() - begin > 1_500);
    assert.equal((await lookUp(address, token)).status, 404);
    await locker.query("ROLLBACK");
    await locker.end();
    await until(async () => ((await usedToday(record.keyId)) ?? 0) >= 102);
  });

  test("a node that stops reports what it spent", async () => {
    const extra = await startNode("d");
    const { token, record } = await issue({ limits: { burst: 10_000 } });
    for (let count = 0; count < 7; count++) await lookUp(extra.startup.url, token);
    await extra.stop();
    assert.equal(await usedToday(record.keyId), 7);
  });

  test("a node whose store is gone refuses with 503 at once, known token or not, and stops calmly", async () => {
    const server = await startServer();
    const own = { STORE_URL: server.url("postgres"), PEPPER_FILE: join(folder.path, "own pepper") };
    const node = await startNode("f", own);
    const { url: address } = node.startup;
    await server.stop();
    for (const token of [TEST_TOKEN, (await issue()).token]) {
      const refused = await lookUp(address, token);
      assertProblem(refused, "service_unavailable");
      assert.equal(refused.header("retry-after"), "1");
    }
    await node.stop();
  });

  test("a node with another pepper does not start, and says what to do", async () => {
    const own = join(folder.path, "another pepper");
    await issue();
    await assert.rejects(startNode("e", { PEPPER_FILE: own }), {
      message: `the pepper file ${own} is missing, but the tokens and the audit log of this store need it; put it back from where you keep it, as no backup has it (if it is lost: docs/backup.md)`,
    });
    writeFileSync(own, "5e".repeat(32), { mode: 0o600, flag: "wx" });
    await assert.rejects(startNode("e", { PEPPER_FILE: own }), {
      message: `the pepper file ${own} does not match the tokens of this store; copy the file of a running node, or set PEPPER_FILE to it (if it is lost: docs/backup.md)`,
    });
    await (await startNode("e")).stop();
  });
});
