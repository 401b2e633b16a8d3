/** How a service of several processes stops: all of them together, after the requests in progress. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { reportClaim } from "#testing/claims.ts";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { sendRequest, openSocket, readResponse } from "./http-client.ts";
import { childrenOf, isAlive, metricOf, spawnService, type SpawnedService } from "./spawn-workers.ts";
import { WORLD } from "./world.ts";

const folder = temporaryFolder();
after(() => folder.remove());

/** None of the tests is about searches, and each worker would start a thread for them. */
const SETTINGS = { WORKERS: "2", SEARCH_THREADS: "0" };

function dataDir(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { mode: 0o700, recursive: true });
  return path;
}

const getProfile = (url: string) =>
  sendRequest(url, { path: "/api/shortvideo/user/info-with-region?uniqueId=ines.varga" });

async function untilStarted(service: SpawnedService, metrics = service.url): Promise<number[]> {
  await until(async () => (await metricOf(metrics, "triptych_workers")) === 2);
  return childrenOf(service.pid);
}

test("Ctrl-C, which signals every process of a terminal, is a graceful stop", async () => {
  const service = await spawnService({ ...SETTINGS, DATA_DIR: dataDir("ctrl-c"), METRICS: "public" }, []);
  const workers = await untilStarted(service);
  for (const pid of [...workers, service.pid]) process.kill(pid, "SIGINT");
  assert.deepEqual(await service.exited, { code: 0, signal: null });
  assert.deepEqual(workers.filter(isAlive), []);
});

test("a stop ends a worker that hangs too, and leaves the port free", { timeout: 120_000 }, async () => {
  const PORT = String(await freePort());
  const settings = { ...SETTINGS, PORT, METRICS: "public" };
  const service = await spawnService({ ...settings, DATA_DIR: dataDir("hung") }, []);
  const workers = await untilStarted(service);
  process.kill(workers[0] as number, "SIGSTOP");
  const stoppedAt = performance.now();
  await service.stop();
  const seconds = ((performance.now() - stoppedAt) / 1_000).toFixed(1);
  assert.deepEqual(await service.exited, { code: 0, signal: null });
  await until(async () => !workers.some(isAlive), 30_000);
  const next = await spawnService({ ...settings, WORKERS: "1", DATA_DIR: dataDir("after-hung") }, []);
  await next.stop();
  reportClaim("a stop ends a worker process that hangs", `exit code 0 after ${seconds} s, no process left`);
});

describe("on one port, one after the other", { timeout: 120_000 }, () => {
  let port: string;
  let metrics: number;
  let restarted: SpawnedService;
  after(() => restarted?.stop());

  test("when the primary is killed, its workers exit and the port is free", async () => {
    [port, metrics] = [String(await freePort()), await freePort()];
    const settings = { ...SETTINGS, DATA_DIR: dataDir("killed"), PORT: port };
    const service = await spawnService({ ...settings, METRICS: "public" }, WORLD);
    const workers = await untilStarted(service);
    service.child.kill("SIGKILL");
    await service.exited;
    await until(async () => workers.every((pid) => !isAlive(pid)));
    restarted = await spawnService({ ...settings, METRICS: String(metrics) }, []);
    assert.equal((await getProfile(restarted.url)).status, 200);
  });

  test("a start on a port that another service of several processes uses fails with one sentence and leaves no process", async () => {
    await assert.rejects(
      spawnService({ ...SETTINGS, DATA_DIR: dataDir("second"), PORT: port }, []),
      /: triptych: port \d+ of 127\.0\.0\.1 is in use by another program[^\n]*\n$/,
    );
  });

  test("a stop waits for the requests in progress in every process and exits with code 0", async () => {
    const workers = await untilStarted(restarted, `http://127.0.0.1:${metrics}`);
    const body = "username_or_url=amara.petrovic";
    // Enough that every worker has some of them.
    const sockets = await Promise.all(Array.from({ length: 32 }, () => openSocket(restarted.url)));
    for (const socket of sockets) {
      socket.write(
        `POST /api/photoshare/get-profile-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      );
    }
    // A response that was requested after the first halves were sent: by then they have been read.
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 8 }, () => getProfile(restarted.url)));
    restarted.child.kill("SIGTERM");
    // A new connection is served or refused; it never waits for the requests in progress.
    const isRefused = async () => (await getProfile(restarted.url).catch(() => null)) === null;
    await Promise.all(Array.from({ length: 8 }, () => until(isRefused, 9_000)));
    const responses = sockets.map((socket) => readResponse(socket));
    for (const socket of sockets) socket.write(body.slice(10));
    for (const response of responses) assert.equal((await response).status, 200);
    for (const socket of sockets) socket.destroy();
    assert.deepEqual(await restarted.exited, { code: 0, signal: null });
    assert.deepEqual(workers.filter(isAlive), []);
    assert.equal(restarted.stderr(), "");
  });
});
