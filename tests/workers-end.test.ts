/** How a service of several processes stops: all of them together, after the requests in progress. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { sendRequest, openSocket, readResponse } from "./http-client.ts";
import { childrenOf, isAlive, metricOf, spawnService, type SpawnedService } from "./spawn-workers.ts";

const folder = temporaryFolder();
after(() => folder.remove());

function dataDir(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { mode: 0o700, recursive: true });
  return path;
}

const getProfile = (url: string) =>
  sendRequest(url, { path: "/api/shortvideo/user/info-with-region?uniqueId=ines.varga" });

async function untilStarted(service: SpawnedService, workers: number): Promise<number[]> {
  await until(async () => (await metricOf(service.url, "triptych_workers")) === workers);
  return childrenOf(service.pid);
}

test(
  "a stop waits for the requests in progress in every process and exits with code 0",
  { timeout: 60_000 },
  async () => {
    const metricsPort = await freePort();
    const service = await spawnService({ DATA_DIR: dataDir("graceful"), WORKERS: "3", METRICS: String(metricsPort) });
    await until(async () => (await metricOf(`http://127.0.0.1:${metricsPort}`, "triptych_workers")) === 3);
    const workers = childrenOf(service.pid);
    const body = "username_or_url=amara.petrovic";
    // Enough that every worker has some of them.
    const sockets = await Promise.all(Array.from({ length: 32 }, () => openSocket(service.url)));
    for (const socket of sockets) {
      socket.write(
        `POST /api/photoshare/get-profile-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      );
    }
    // A response that was requested after the first halves were sent: by then they have been read.
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 8 }, () => getProfile(service.url)));
    service.child.kill("SIGTERM");
    // A new connection is served or refused; it never waits for the requests in progress.
    const isRefused = async () => (await getProfile(service.url).catch(() => null)) === null;
    await Promise.all(Array.from({ length: 8 }, () => until(isRefused, 9_000)));
    const responses = sockets.map((socket) => readResponse(socket));
    for (const socket of sockets) socket.write(body.slice(10));
    for (const response of responses) assert.equal((await response).status, 200);
    for (const socket of sockets) socket.destroy();
    assert.deepEqual(await service.exited, { code: 0, signal: null });
    assert.deepEqual(workers.filter(isAlive), []);
    assert.equal(service.stderr(), "");
  },
);

test("Ctrl-C, which signals every process of a terminal, is a graceful stop", async () => {
  const service = await spawnService({ DATA_DIR: dataDir("ctrl-c"), WORKERS: "2", METRICS: "public" });
  const workers = await untilStarted(service, 2);
  for (const pid of [...workers, service.pid]) process.kill(pid, "SIGINT");
  assert.deepEqual(await service.exited, { code: 0, signal: null });
  assert.deepEqual(workers.filter(isAlive), []);
});

test("when the primary is killed, its workers exit and the port is free", async () => {
  const port = String(await freePort());
  const service = await spawnService({
    DATA_DIR: dataDir("killed"),
    WORKERS: "2",
    METRICS: "public",
    PORT: port,
  });
  const workers = await untilStarted(service, 2);
  service.child.kill("SIGKILL");
  await service.exited;
  await until(async () => workers.every((pid) => !isAlive(pid)));
  const restarted = await spawnService({ DATA_DIR: dataDir("killed"), WORKERS: "2", PORT: port }, []);
  assert.equal((await getProfile(restarted.url)).status, 200);
  await restarted.stop();
});

test("a start on a port that another service of several processes uses fails with one sentence and leaves no process", async () => {
  const first = await spawnService({ DATA_DIR: dataDir("first"), WORKERS: "2" });
  try {
    const { port } = new URL(first.url);
    await assert.rejects(
      spawnService({ DATA_DIR: dataDir("second"), WORKERS: "2", PORT: port }),
      /: triptych: port \d+ of 127\.0\.0\.1 is in use by another program[^\n]*\n$/,
    );
  } finally {
    await first.stop();
  }
});
