/** WORKERS: several processes that answer on one port are one service. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync } from "node:fs";
import type { Socket } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadPepper } from "#auth/secrets.ts";
import { TokenRegistry, type TokenRequest } from "#auth/tokens.ts";
import { readConfig } from "#config";
import type { Store } from "#store/store.ts";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { aPostObject, postId, pushedLine } from "./spawn-import.ts";
import { freshDatabase } from "./postgres/databases.ts";
import { assertProblem } from "./problem.ts";
import { bearing } from "./test-tokens.ts";
import { exchange, openSocket, readOne, type WireAnswer } from "./http-client.ts";
import { childrenOf, metricOf, serveInProcesses, type Serving } from "./spawn-workers.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const SERVED = 'triptych_requests_total{operation="shortvideo/user/info-with-region",status="200"}';
const SCOPES = ["read:shortvideo", "read:longvideo", "read:photoshare", "read:personal"];

const folder = temporaryFolder();
after(() => folder.remove());

function dataDir(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

const lookUp = (address: string, token = TEST_TOKEN): Promise<WireAnswer> =>
  exchange(address, { path: PROFILE, headers: bearing(token) });

/** Whether so many connections, which go to the workers in turn, are all answered so. */
async function all(address: string, token: string, status: number, connections = 8): Promise<boolean> {
  const answers = await Promise.all(Array.from({ length: connections }, () => lookUp(address, token)));
  return answers.every((answer) => answer.status === status);
}

async function untilComplete(serving: Serving, workers: number): Promise<number[]> {
  // The question may be the one that a dying worker takes with it.
  await until(async () => (await metricOf(serving.address, "triptych_workers").catch(() => 0)) === workers);
  return childrenOf(serving.pid);
}

/** Asks at the same time until each is refused; how many were let through. */
async function hammer(address: string, token: string): Promise<number> {
  let passed = 0;
  const caller = async () => {
    for (;;) {
      const { status, text } = await lookUp(address, token);
      if (status === 429) return;
      assert.equal(status, 200, text);
      passed += 1;
    }
  };
  await Promise.all(Array.from({ length: 6 }, caller));
  return passed;
}

/** A 25th of the limit is reported out of turn; as much again may be spent until the answer comes. */
function assertOneLimit(answered: number, limit: number): void {
  assert.ok(answered >= limit && answered <= limit + 2 * Math.max(limit * 0.08, 6), `${answered} of ${limit}`);
}

test("WORKERS is a whole number from 1 to 64 or auto, and 1 when it is not set", () => {
  assert.equal(readConfig({}).workers, 1);
  assert.equal(readConfig({ WORKERS: "64" }).workers, 64);
  assert.equal(readConfig({ WORKERS: "auto" }).workers, Math.min(availableParallelism(), 64));
  for (const wrong of ["0", "65", "1.5", "all"])
    assert.throws(() => readConfig({ WORKERS: wrong }), /WORKERS must be a whole number from 1 to 64, or auto/);
});

test("one worker is the process itself: nothing is forked", async () => {
  const serving = await serveInProcesses({ DATA_DIR: dataDir("alone"), WORKERS: "1" });
  try {
    assert.equal((await lookUp(serving.address)).status, 200);
    assert.deepEqual(childrenOf(serving.pid), []);
  } finally {
    await serving.stop();
  }
});

describe("two workers on one file", () => {
  const data = dataDir("two");
  let serving: Serving;
  /** Of the one who administers: a process of its own, as the command line is. */
  let store: Store;
  let registry: TokenRegistry;
  before(async () => {
    serving = await serveInProcesses({ DATA_DIR: data, WORKERS: "2", METRICS: "public", LOG_LEVEL: "info" });
    store = await serving.openStore();
    registry = new TokenRegistry(store.tokens, loadPepper(join(data, "pepper")).tokens);
    await untilComplete(serving, 2);
  });
  after(async () => {
    await store.close();
    await serving.stop();
  });

  const issue = (request: Partial<TokenRequest> = {}) =>
    registry.create({ label: "for a test", scopes: SCOPES, ...request });

  test("share a port, and /metrics counts what both have answered, whichever is asked", async () => {
    assert.equal(childrenOf(serving.pid).length, 2);
    const counted = await metricOf(serving.address, SERVED);
    await all(serving.address, TEST_TOKEN, 200, 20);
    for (let look = 0; look < 4; look++) assert.equal(await metricOf(serving.address, SERVED), counted + 20);
  });

  test("have one limit, with at most one interval's worth a worker on top", async () => {
    for (const limits of [
      { burst: 1_000_000, daily: 1_000 },
      { burst: 1_000_000, daily: 100 },
    ]) {
      const { token } = await issue({ limits });
      const answered = await hammer(serving.address, token);
      assertOneLimit(answered, limits.daily);
    }
  });

  test("let in a new token at once and refuse a revoked one within 5 s, each of them", async () => {
    const { token, record } = await issue();
    assert.ok(await all(serving.address, token, 200));
    await registry.revoke(record.keyId);
    await until(() => all(serving.address, token, 401));
    assertProblem(await lookUp(serving.address, token), "invalid_token");
  });

  test("take uploads, which are imported once, and each tells how far they are", async () => {
    const { token } = await issue({ scopes: ["ingest"] });
    const numbers = [1, 2, 3, 4];
    const keys = await Promise.all(
      numbers.map(async (number) => {
        const answer = await exchange(serving.address, {
          method: "POST",
          path: `/ingest/${token}/api/import-dataset/`,
          headers: { "x-zeeschuimer-platform": "tiktok.com" },
          body: `${pushedLine(aPostObject(number))}\n`,
        });
        assert.equal(answer.status, 200, answer.text);
        return (JSON.parse(answer.text) as { key: string }).key;
      }),
    );
    for (const key of keys.flatMap((each) => [each, each])) {
      await until(async () => {
        const { text } = await exchange(serving.address, { path: `/ingest/${token}/api/check-query/?key=${key}` });
        return (JSON.parse(text) as { done: boolean }).done;
      });
    }
    for (const number of numbers) {
      const path = `/api/shortvideo/post/detail?videoId=${postId(number)}`;
      for (let look = 0; look < 2; look++) assert.equal((await exchange(serving.address, { path })).status, 200);
    }
    assert.equal((await store.jobs.listJobs(10)).length, numbers.length);
  });

  test("one that is killed takes its own connections with it and no others, and is replaced", async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(serving.address)));
    const askOn = async (socket: Socket) => {
      const answer = readOne(socket);
      socket.write(`GET ${PROFILE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n\r\n`);
      assert.equal((await answer).status, 200);
    };
    for (const socket of sockets) {
      // How a connection ends whose process is killed.
      socket.on("error", () => undefined);
      await askOn(socket);
    }
    const [killed = 0, other = 0] = childrenOf(serving.pid);
    process.kill(killed, "SIGKILL");
    await until(async () => sockets.some((socket) => socket.closed));
    const left = await untilComplete(serving, 2);
    assert.ok(left.includes(other) && !left.includes(killed));
    const kept = sockets.filter((socket) => !socket.closed);
    assert.ok(kept.length > 0 && kept.length < sockets.length, "each worker had its part of them");
    for (const socket of kept) {
      await askOn(socket);
      socket.destroy();
    }
  });

  // A caller whose connection was forgotten would wait for ever.
  test("one that is killed under load costs each caller one request at most", { timeout: 120_000 }, async () => {
    const counted = await metricOf(serving.address, SERVED);
    const replaced = await metricOf(serving.address, "triptych_workers_replaced_total");
    const callers = 8;
    let answered = 0;
    let failed = 0;
    let killed = false;
    const caller = async () => {
      for (let count = 0; count < 60; count++) {
        const answer = await lookUp(serving.address).catch(() => null);
        if (answer === null) failed += 1;
        else assert.equal(answer.status, 200, answer.text);
        if (++answered >= 100 && !killed) {
          killed = true;
          process.kill(childrenOf(serving.pid)[0] ?? 0, "SIGKILL");
        }
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    assert.ok(failed <= callers, `${failed} failed`);
    await untilComplete(serving, 2);
    assert.equal(await metricOf(serving.address, "triptych_workers_replaced_total"), replaced + 1);
    assert.ok((await metricOf(serving.address, SERVED)) >= counted);
  });

  test("one that cannot be opened is tried again, later each time, with its reason in the log", async () => {
    const pepper = join(data, "pepper");
    chmodSync(pepper, 0o644);
    try {
      process.kill(childrenOf(serving.pid)[0] ?? 0, "SIGKILL");
      await until(async () => lossesOf(serving).filter(({ reason }) => /pepper file/.test(reason)).length >= 3);
    } finally {
      chmodSync(pepper, 0o600);
    }
    const delays = lossesOf(serving)
      .filter(({ reason }) => /pepper file/.test(reason))
      .map(({ nextInMs }) => nextInMs);
    assert.ok((delays[1] ?? 0) > (delays[0] ?? 0) && (delays[2] ?? 0) > (delays[1] ?? 0), delays.join());
    await untilComplete(serving, 2);
    assert.ok(await all(serving.address, TEST_TOKEN, 200));
  });

  test("say one welcome and write their lines whole", async () => {
    await until(async () => linesOf(serving).filter(({ msg }) => msg === "request").length > 1_000);
    assert.equal(linesOf(serving).filter(({ address, msg }) => address !== undefined && msg === undefined).length, 1);
    assert.equal(linesOf(serving).filter(({ msg }) => msg === "listening").length, 1);
  });
});

/** All that it said by now; each line must be JSON. */
function linesOf(serving: Serving): Record<string, unknown>[] {
  const text = serving.said();
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function lossesOf(serving: Serving): { nextInMs: number; reason: string }[] {
  return linesOf(serving)
    .filter(({ msg }) => msg === "a worker ended; another takes its place")
    .map(({ nextInMs, err }) => ({
      nextInMs: Number(nextInMs),
      reason: (err as { message: string } | undefined)?.message ?? "",
    }));
}

test("a worker that does not answer is told as silent; what it counted stays", async () => {
  const port = await freePort();
  const serving = await serveInProcesses({ DATA_DIR: dataDir("silent"), WORKERS: "2", METRICS: String(port) });
  const metrics = `http://127.0.0.1:${port}`;
  try {
    await until(async () => (await metricOf(metrics, "triptych_workers")) === 2);
    assert.ok(await all(serving.address, TEST_TOKEN, 200, 10));
    assert.equal(await metricOf(metrics, SERVED), 10);
    const [stopped = 0] = childrenOf(serving.pid);
    process.kill(stopped, "SIGSTOP");
    assert.equal(await metricOf(metrics, "triptych_workers_unresponsive"), 1);
    assert.equal(await metricOf(metrics, SERVED), 10);
    process.kill(stopped, "SIGCONT");
    await until(async () => (await metricOf(metrics, "triptych_workers")) === 2);
  } finally {
    await serving.stop();
  }
});

test("two workers on PostgreSQL have one limit as well, and hear of a revocation", async () => {
  const database = await freshDatabase();
  const data = dataDir("postgres");
  const env = { DATA_DIR: data, STORE_URL: database.url, WORKERS: "2", METRICS: "public" };
  const serving = await serveInProcesses(env);
  const store = await serving.openStore();
  try {
    await untilComplete(serving, 2);
    const registry = new TokenRegistry(store.tokens, loadPepper(join(data, "pepper")).tokens);
    const { token, record } = await registry.create({
      label: "for a test",
      scopes: SCOPES,
      limits: { burst: 1_000_000, daily: 1_000 },
    });
    const answered = await hammer(serving.address, token);
    assertOneLimit(answered, 1_000);
    await registry.revoke(record.keyId);
    await until(() => all(serving.address, token, 401));
  } finally {
    await store.close();
    await serving.stop();
    await database.drop();
  }
});
