/** WORKERS: several processes on one port are one service. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import type { Socket } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadPepper } from "#auth/secrets.ts";
import { TokenRegistry, type TokenRequest } from "#auth/tokens.ts";
import { readConfig } from "#config";
import { startService } from "#serve/start.ts";
import type { Store } from "#store/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { hasOpenFile, signal } from "#testing/processes.ts";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { aPostObject, postId, pushedLine } from "./spawn-import.ts";
import { type FreshDatabase, freshStoreDatabase } from "./postgres/databases.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader } from "./test-tokens.ts";
import { sendRequest, openSocket, readResponse, type HttpResponse } from "./http-client.ts";
import { childrenOf, metricOf, spawnService, type SpawnedService } from "./spawn-workers.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const SERVED = 'triptych_requests_total{operation="shortvideo/user/info-with-region",status="200"}';
const SCOPES = ["read:shortvideo", "read:longvideo", "read:photoshare", "read:personal"];
/** None of the tests is about searches, and each worker would start a thread for them. */
const TWO = { WORKERS: "2", SEARCH_THREADS: "0" };

const folder = temporaryFolder();
after(() => folder.remove());

function dataDir(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

const getProfile = (url: string, token = TEST_TOKEN): Promise<HttpResponse> =>
  sendRequest(url, { path: PROFILE, headers: bearerHeader(token) });

/** Opens enough connections that both workers get some. */
async function allRespond(url: string, token: string, status: number, connections = 32): Promise<boolean> {
  const responses = await Promise.all(Array.from({ length: connections }, () => getProfile(url, token)));
  return responses.every((response) => response.status === status);
}

/** One client is enough to wait for it. */
async function untilRejected(url: string, token: string): Promise<void> {
  await until(async () => (await getProfile(url, token)).status === 401);
  await until(() => allRespond(url, token, 401));
}

async function untilStarted(service: SpawnedService, workers: number, metrics = service.url): Promise<number[]> {
  // This request may be the one that a killed worker loses.
  await until(async () => (await metricOf(metrics, "triptych_workers").catch(() => 0)) === workers);
  return childrenOf(service.pid);
}

/** Sends concurrent requests until every client is rate limited; returns how many succeeded. */
async function exhaustLimit(url: string, token: string, retriedStatus?: number): Promise<number> {
  let succeeded = 0;
  const client = async () => {
    for (;;) {
      const { status, text } = await getProfile(url, token);
      if (status === 429) return;
      if (status === retriedStatus) {
        await sleep(100);
        continue;
      }
      assert.equal(status, 200, text);
      succeeded += 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, client));
  return succeeded;
}

const LIMIT = budget("limitedRequests");

/**
 * Two workers that did not share it would allow twice the limit. How much too much a report that is under way allows
 * depends on the machine; how soon they report is tested with a manual clock in src/rate-limit/exchange.test.ts.
 */
function assertOneLimit(succeeded: number): void {
  assert.ok(succeeded >= LIMIT && succeeded <= LIMIT * 1.5, `${succeeded} of ${LIMIT}`);
}

test("WORKERS is a whole number from 1 to 64 or auto, and 1 when it is not set", () => {
  assert.equal(readConfig({}).workers, 1);
  assert.equal(readConfig({ WORKERS: "64" }).workers, 64);
  assert.equal(readConfig({ WORKERS: "auto" }).workers, Math.min(availableParallelism(), 64));
  for (const wrong of ["0", "65", "1.5", "all"])
    assert.throws(() => readConfig({ WORKERS: wrong }), /WORKERS must be a whole number from 1 to 64, or auto/);
});

for (const WORKERS of ["1", "2"]) {
  test(`SIGHUP opens the log file again with WORKERS=${WORKERS}`, async () => {
    const data = dataDir(`rotated-${WORKERS}`);
    const LOG_FILE = join(data, "triptych.log");
    const rotated = `${LOG_FILE}.1`;
    const service = await spawnService({ DATA_DIR: data, WORKERS, SEARCH_THREADS: "0", LOG_LEVEL: "info", LOG_FILE });
    let requests = 0;
    const areLogged = async () => {
      const id = `round-${++requests}`;
      const request = { path: PROFILE, headers: { ...bearerHeader(TEST_TOKEN), "x-request-id": id } };
      await Promise.all(Array.from({ length: 32 }, () => sendRequest(service.url, request)));
      const countLines = (file: string) => readFileSync(file, "utf8").split(`"${id}"`).length - 1;
      await until(async () => countLines(LOG_FILE) + countLines(rotated) === 32);
      return countLines(LOG_FILE) === 32;
    };
    try {
      renameSync(LOG_FILE, rotated);
      process.kill(service.pid, "SIGHUP");
      await until(async () => existsSync(LOG_FILE));
      // Workers are told after the primary has opened it.
      await until(areLogged);
    } finally {
      await service.stop();
    }
    assert.deepEqual(await service.exited, { code: 0, signal: null });
    assert.match(readFileSync(LOG_FILE, "utf8"), /"stopping"/);
  });
}

test("SIGHUP stops a service of one process without a log file", async () => {
  const service = await spawnService({ DATA_DIR: dataDir("unlogged"), SEARCH_THREADS: "0", LOG_LEVEL: "info" }, []);
  await service.stop("SIGHUP");
  assert.deepEqual(await service.exited, { code: 0, signal: null });
});

test("SIGHUP while a service with a log file starts does not end it, and the file is opened again", async () => {
  const data = dataDir("rotated-early");
  const LOG_FILE = join(data, "triptych.log");
  const others = childrenOf(process.pid);
  const starting = spawnService({ DATA_DIR: data, SEARCH_THREADS: "0", LOG_LEVEL: "info", LOG_FILE });
  // The file exists before the log is written to it: one that is only opened after its renaming proves nothing.
  const pid = await until(
    async () =>
      childrenOf(process.pid).find((child) => !others.includes(child) && hasOpenFile(child, LOG_FILE)) ?? null,
  );
  renameSync(LOG_FILE, `${LOG_FILE}.1`);
  process.kill(pid, "SIGHUP");
  const service = await starting;
  try {
    // It may open the file some time after it says that it listens.
    await until(async () => {
      const headers = { ...bearerHeader(TEST_TOKEN), "x-request-id": "after-start" };
      await sendRequest(service.url, { path: PROFILE, headers });
      return existsSync(LOG_FILE) && readFileSync(LOG_FILE, "utf8").includes('"after-start"');
    });
  } finally {
    await service.stop();
  }
  assert.deepEqual(await service.exited, { code: 0, signal: null });
  assert.match(readFileSync(LOG_FILE, "utf8"), /"stopping"/);
});

test("with one worker nothing is forked", async () => {
  const children = childrenOf(process.pid);
  const settings = { DATA_DIR: dataDir("one"), PORT: "0", API_TOKEN: TEST_TOKEN, DEMO: "off", LOG_LEVEL: "silent" };
  const service = await startService(readConfig({ ...settings, WORKERS: "1" }));
  try {
    assert.equal((await sendRequest(service.startup.url, { path: "/readyz" })).status, 200);
    assert.deepEqual(childrenOf(process.pid), children);
  } finally {
    await service.stop();
  }
});

describe("two workers on one file", () => {
  const data = dataDir("two");
  let service: SpawnedService;
  /** Another process on the same store, as the command line is. */
  let store: Store;
  let registry: TokenRegistry;
  before(async () => {
    service = await spawnService({ ...TWO, DATA_DIR: data, METRICS: "public", LOG_LEVEL: "info" });
    store = await service.openStore();
    registry = new TokenRegistry(store.tokens, loadPepper(join(data, "pepper")).tokens);
    await untilStarted(service, 2);
  });
  after(async () => {
    await store.close();
    await service.stop();
  });

  const issue = (request: Partial<TokenRequest> = {}) =>
    registry.create({ label: "for a test", scopes: SCOPES, ...request });

  test("share a port, and /metrics of either counts the requests of both", async () => {
    assert.equal(childrenOf(service.pid).length, 2);
    const counted = await metricOf(service.url, SERVED);
    await allRespond(service.url, TEST_TOKEN, 200, 20);
    for (let look = 0; look < 8; look++) assert.equal(await metricOf(service.url, SERVED), counted + 20);
  });

  test("share one rate limit", async () => {
    const { token } = await issue({ limits: { burst: 1_000_000, daily: LIMIT } });
    assertOneLimit(await exhaustLimit(service.url, token));
  });

  test("accept a new token immediately and reject a revoked one within 5 s, in every worker", async () => {
    const { token, record } = await issue();
    assert.ok(await allRespond(service.url, token, 200));
    await registry.revoke(record.keyId);
    await untilRejected(service.url, token);
    assertProblem(await getProfile(service.url, token), "invalid_token");
  });

  test("refuse a session that was signed out, in every worker", async () => {
    const { token } = await issue();
    const send = (method: string, cookie: string, body?: object) =>
      sendRequest(service.url, {
        method,
        path: "/admin/session",
        headers: { authorization: null, cookie, "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    const cookie = String((await send("POST", "", { token })).header("set-cookie")).split(";")[0] ?? "";
    // The system gives each connection to either worker.
    const statuses = async () =>
      new Set((await Promise.all(Array.from({ length: 32 }, () => send("GET", cookie)))).map(({ status }) => status));
    assert.deepEqual(await statuses(), new Set([200]));
    assert.equal((await send("DELETE", cookie)).status, 200);
    await until(async () => (await statuses()).has(401));
    await until(async () => !(await statuses()).has(200));
  });

  test("serve admin routes in every worker, and count the usage of all", async () => {
    const { token } = await issue({ scopes: ["admin"] });
    const admin = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
      const response = await sendRequest(service.url, {
        method,
        path,
        headers: { ...bearerHeader(token), "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      assert.ok(response.status < 300, response.text);
      return JSON.parse(response.text) as Body;
    };
    const issued = await admin<{ token: string; record: { keyId: string } }>("POST", "/admin/tokens", {
      label: "from a worker",
      scopes: SCOPES,
    });
    assert.ok(await allRespond(service.url, issued.token, 200, 20));
    const { keyId } = issued.record;
    await until(async () => {
      const { usage } = await admin<{ usage: { requests: number }[] }>("GET", `/admin/usage?keyId=${keyId}`);
      return usage[0]?.requests === 20;
    });
    await admin("DELETE", `/admin/tokens/${keyId}`);
    await untilRejected(service.url, issued.token);
    await until(async () => {
      const { errors } = await admin<{ errors: { code: string }[] }>("GET", "/admin/errors?limit=400");
      return errors.filter(({ code }) => code === "invalid_token").length >= 20;
    });
    // What a worker serves and the primary writes down.
    const { token: exporting, record } = await issue({ scopes: [...SCOPES, "export"] });
    const exported = await sendRequest(service.url, { path: "/api/export/accounts", headers: bearerHeader(exporting) });
    assert.equal(exported.status, 200);
    await until(async () => {
      const { entries } = await admin<{ entries: { actor: string; action: string }[] }>("GET", "/admin/audit");
      return entries.some(({ actor, action }) => actor === record.keyId && action === "export");
    });
    const missing = await sendRequest(service.url, { path: "/admin/jobs/nothing", headers: bearerHeader(token) });
    assertProblem(missing, "job_not_found");
    assert.equal((await admin<{ records: object[] }>("GET", "/admin/overview")).records.length > 0, true);
  });

  test("import each upload once, and report its progress from every worker", async () => {
    const { token } = await issue({ scopes: ["ingest"] });
    const numbers = [1, 2, 3, 4];
    const keys = await Promise.all(
      numbers.map(async (number) => {
        const response = await sendRequest(service.url, {
          method: "POST",
          path: `/ingest/${token}/api/import-dataset/`,
          headers: { "x-zeeschuimer-platform": "tiktok.com" },
          body: `${pushedLine(aPostObject(number))}\n`,
        });
        assert.equal(response.status, 200, response.text);
        return (JSON.parse(response.text) as { key: string }).key;
      }),
    );
    for (const key of keys.flatMap((each) => [each, each, each])) {
      await until(async () => {
        const { text } = await sendRequest(service.url, { path: `/ingest/${token}/api/check-query/?key=${key}` });
        return (JSON.parse(text) as { done: boolean }).done;
      });
    }
    for (const number of numbers) {
      const path = `/api/shortvideo/post/detail?videoId=${postId(number)}`;
      for (let look = 0; look < 8; look++) assert.equal((await sendRequest(service.url, { path })).status, 200);
    }
    assert.equal((await store.jobs.listJobs(10)).length, numbers.length);
  });

  // No connection may be left open with nobody to serve it: its client would wait until the test times out.
  test(
    "a worker that is killed under load closes its own connections and no others, costs each client two requests at most, and is replaced",
    { timeout: 120_000 },
    async () => {
      const sockets = await Promise.all(Array.from({ length: 32 }, () => openSocket(service.url)));
      const requestOn = async (socket: Socket) => {
        const response = readResponse(socket);
        socket.write(`GET ${PROFILE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n\r\n`);
        assert.equal((await response).status, 200);
      };
      for (const socket of sockets) {
        // The kernel resets the connections of a killed process.
        socket.on("error", () => undefined);
        await requestOn(socket);
      }
      const counted = await metricOf(service.url, SERVED);
      const replaced = await metricOf(service.url, "triptych_workers_replaced_total");
      const [killed = 0, other = 0] = childrenOf(service.pid);
      const clients = 8;
      let finished = 0;
      let failed = 0;
      const client = async () => {
        for (let count = 0; count < 60; count++) {
          const response = await getProfile(service.url).catch(() => null);
          if (response === null) failed += 1;
          else assert.equal(response.status, 200, response.text);
          if (++finished === 100) process.kill(killed, "SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      // One is lost with the worker. The next may meet its port before the kernel has closed it.
      assert.ok(failed <= 2 * clients, `${failed} failed`);
      await until(async () => sockets.some((socket) => socket.closed));
      const left = await untilStarted(service, 2);
      assert.ok(left.includes(other) && !left.includes(killed));
      assert.equal(await metricOf(service.url, "triptych_workers_replaced_total"), replaced + 1);
      assert.ok((await metricOf(service.url, SERVED)) >= counted);
      const open = sockets.filter((socket) => !socket.closed);
      assert.ok(open.length > 0 && open.length < sockets.length, "each worker had some of them");
      for (const socket of open) {
        await requestOn(socket);
        socket.destroy();
      }
    },
  );

  test(
    "a worker that hangs is killed and replaced within seconds, and the log says why",
    { timeout: 120_000 },
    async () => {
      const replaced = await metricOf(service.url, "triptych_workers_replaced_total");
      const [hung = 0, other = 0] = childrenOf(service.pid);
      const stoppedAt = performance.now();
      process.kill(hung, "SIGSTOP");
      await until(async () => exitsOf(service).some(({ worker }) => worker === hung), 60_000);
      assert.deepEqual(
        exitsOf(service).filter(({ worker }) => worker === hung),
        [{ worker: hung, backoffMs: 0, reason: "no response for 5 s; killed" }],
      );
      const left = await untilStarted(service, 2);
      const seconds = ((performance.now() - stoppedAt) / 1_000).toFixed(1);
      assert.ok(left.includes(other) && !left.includes(hung));
      assert.equal(await metricOf(service.url, "triptych_workers_replaced_total"), replaced + 1);
      assert.ok(await allRespond(service.url, TEST_TOKEN, 200));
      reportClaim("a worker process that hangs is replaced", `after ${seconds} s of SIGSTOP`);
    },
  );

  test("a worker that is paused for less, and a primary that is paused for longer, cost no worker", async () => {
    const workers = childrenOf(service.pid);
    const pauseFor = async (pid: number, ms: number) => {
      process.kill(pid, "SIGSTOP");
      await sleep(ms);
      process.kill(pid, "SIGCONT");
    };
    await pauseFor(workers[0] as number, 1_500);
    await pauseFor(service.pid, 7_000);
    // Beats after the pause have been responded to.
    await sleep(2_500);
    assert.ok(await allRespond(service.url, TEST_TOKEN, 200));
    assert.deepEqual(childrenOf(service.pid), workers);
  });

  test("a worker that cannot start is retried with growing delays, and the log says why", async () => {
    const pepper = join(data, "pepper");
    chmodSync(pepper, 0o644);
    try {
      process.kill(childrenOf(service.pid)[0] ?? 0, "SIGKILL");
      await until(async () => exitsOf(service).filter(({ reason }) => /pepper file/.test(reason)).length >= 3);
    } finally {
      chmodSync(pepper, 0o600);
    }
    const delays = exitsOf(service)
      .filter(({ reason }) => /pepper file/.test(reason))
      .map(({ backoffMs }) => backoffMs);
    assert.ok((delays[1] ?? 0) > (delays[0] ?? 0) && (delays[2] ?? 0) > (delays[1] ?? 0), delays.join());
    await untilStarted(service, 2);
    assert.ok(await allRespond(service.url, TEST_TOKEN, 200));
  });

  test("print one startup message, and write every log line whole", async () => {
    await until(async () => linesOf(service).filter(({ msg }) => msg === "request").length > LIMIT);
    assert.equal(linesOf(service).filter(({ address, msg }) => address !== undefined && msg === undefined).length, 1);
    assert.equal(linesOf(service).filter(({ msg }) => msg === "listening").length, 1);
  });
});

test("each worker counts requests without a valid token: one connection has the whole limit; SIGHUP stops them without a log file", async () => {
  const settings = { ...TWO, DATA_DIR: dataDir("failed-tokens"), RATE_FAILED_TOKENS: "4", LOG_LEVEL: "info" };
  const service = await spawnService(settings, []);
  try {
    const socket = await openSocket(service.url);
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      const response = readResponse(socket);
      socket.write(`GET ${PROFILE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer not-a-token\r\n\r\n`);
      statuses.push((await response).status);
    }
    socket.destroy();
    assert.deepEqual(statuses, [401, 401, 401, 401, 429]);
  } finally {
    await service.stop("SIGHUP");
  }
  assert.deepEqual(await service.exited, { code: 0, signal: null });
});

/** Everything printed so far; each line must be JSON. */
function linesOf(service: SpawnedService): Record<string, unknown>[] {
  const text = service.stdout();
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function exitsOf(service: SpawnedService): { worker: number; backoffMs: number; reason: string }[] {
  return linesOf(service)
    .filter(({ msg }) => msg === "worker exited; replacing it")
    .map(({ worker, backoffMs, err }) => ({
      worker: Number(worker),
      backoffMs: Number(backoffMs),
      reason: (err as { message: string } | undefined)?.message ?? "",
    }));
}

/** A service takes a PostgreSQL for down that needs long to respond, as on a machine that is busy with other tests. */
const BUSY = 503;

describe("two workers on PostgreSQL, with metrics on a port of their own", () => {
  const data = dataDir("postgres");
  let database: FreshDatabase;
  let service: SpawnedService;
  let store: Store;
  let metrics: string;
  before(async () => {
    database = await freshStoreDatabase();
    const port = await freePort();
    metrics = `http://127.0.0.1:${port}`;
    service = await spawnService({ ...TWO, DATA_DIR: data, STORE_URL: database.url, METRICS: String(port) });
    store = await service.openStore();
    await untilStarted(service, 2, metrics);
  });
  after(async () => {
    await store.close();
    await service.stop();
    await database.drop();
  });

  test("a worker that does not respond is counted as unresponsive, and its counters remain", async () => {
    await until(() => allRespond(service.url, TEST_TOKEN, 200, 10));
    const served = await metricOf(metrics, SERVED);
    assert.ok(served >= 10, `${served}`);
    const [paused = 0] = childrenOf(service.pid);
    process.kill(paused, "SIGSTOP");
    assert.equal(await metricOf(metrics, "triptych_workers_unresponsive"), 1);
    assert.equal(await metricOf(metrics, SERVED), served);
    // It is killed if this machine took longer than five seconds for these requests.
    signal(paused, "SIGCONT");
    await until(async () => (await metricOf(metrics, "triptych_workers")) === 2);
  });

  test("they share one rate limit too, and reject a revoked token", async () => {
    const registry = new TokenRegistry(store.tokens, loadPepper(join(data, "pepper")).tokens);
    const { token, record } = await registry.create({
      label: "for a test",
      scopes: SCOPES,
      limits: { burst: 1_000_000, daily: LIMIT },
    });
    assertOneLimit(await exhaustLimit(service.url, token, BUSY));
    await registry.revoke(record.keyId);
    await untilRejected(service.url, token);
  });
});
