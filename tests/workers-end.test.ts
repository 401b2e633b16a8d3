/** How several processes end: together, calmly when they are asked to, and never leaving one behind. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { exchange, openSocket, readOne } from "./http-client.ts";
import { childrenOf, isAlive, metricOf, serveInProcesses, type Serving } from "./spawn-workers.ts";

const folder = temporaryFolder();
after(() => folder.remove());

function dataDir(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path, { mode: 0o700, recursive: true });
  return path;
}

const lookUp = (address: string) =>
  exchange(address, { path: "/api/shortvideo/user/info-with-region?uniqueId=ines.varga" });

async function untilComplete(serving: Serving, workers: number): Promise<number[]> {
  await until(async () => (await metricOf(serving.address, "triptych_workers")) === workers);
  return childrenOf(serving.pid);
}

test(
  "an end that is asked for comes when what is under way is answered, for all processes, with exit code 0",
  { timeout: 60_000 },
  async () => {
    const metricsPort = await freePort();
    const serving = await serveInProcesses({ DATA_DIR: dataDir("calm"), WORKERS: "3", METRICS: String(metricsPort) });
    await until(async () => (await metricOf(`http://127.0.0.1:${metricsPort}`, "triptych_workers")) === 3);
    const workers = childrenOf(serving.pid);
    const body = "username_or_url=amara.petrovic";
    const sockets = await Promise.all(workers.map(() => openSocket(serving.address)));
    for (const socket of sockets) {
      socket.write(
        `POST /api/photoshare/get-profile-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      );
    }
    // What is sent after the first halves is answered after they were read: some for each worker, in turn.
    for (let round = 0; round < 4; round++) await Promise.all(workers.map(() => lookUp(serving.address)));
    serving.child.kill("SIGTERM");
    // Whoever comes now is answered or refused, and does not have to wait for those who are being answered.
    const refused = async () => (await lookUp(serving.address).catch(() => null)) === null;
    await Promise.all(Array.from({ length: 8 }, () => until(refused, 9_000)));
    const answers = sockets.map((socket) => readOne(socket));
    for (const socket of sockets) socket.write(body.slice(10));
    for (const answer of answers) assert.equal((await answer).status, 200);
    for (const socket of sockets) socket.destroy();
    assert.deepEqual(await serving.ended, { code: 0, signal: null });
    assert.deepEqual(workers.filter(isAlive), []);
    assert.equal(serving.complained(), "");
  },
);

test("an end that comes to all of them by the same key press is a calm one", async () => {
  const serving = await serveInProcesses({ DATA_DIR: dataDir("key press"), WORKERS: "2", METRICS: "public" });
  const workers = await untilComplete(serving, 2);
  for (const pid of [...workers, serving.pid]) process.kill(pid, "SIGINT");
  assert.deepEqual(await serving.ended, { code: 0, signal: null });
  assert.deepEqual(workers.filter(isAlive), []);
});

test("the end of the first process by kill -9 is the end of all, and the port is free", async () => {
  const port = String(await freePort());
  const serving = await serveInProcesses({
    DATA_DIR: dataDir("killed"),
    WORKERS: "2",
    METRICS: "public",
    PORT: port,
  });
  const workers = await untilComplete(serving, 2);
  serving.child.kill("SIGKILL");
  await serving.ended;
  await until(async () => workers.every((pid) => !isAlive(pid)));
  const again = await serveInProcesses({ DATA_DIR: dataDir("killed"), WORKERS: "2", PORT: port }, []);
  assert.equal((await lookUp(again.address)).status, 200);
  await again.stop();
});

test("the end comes at once where the port is taken: one sentence, and no process is left", async () => {
  const first = await serveInProcesses({ DATA_DIR: dataDir("holder"), WORKERS: "2" });
  try {
    const { port } = new URL(first.address);
    await assert.rejects(
      serveInProcesses({ DATA_DIR: dataDir("late"), WORKERS: "2", PORT: port }),
      /: triptych: port \d+ of 127\.0\.0\.1 is in use by another program[^\n]*\n$/,
    );
  } finally {
    await first.stop();
  }
});
