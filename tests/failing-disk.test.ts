/**
 * A disk that is full or fails under a running service: what was stored is read, uploads are refused in one sentence, and
 * those that were acknowledged are imported by themselves when the disk works again. Nobody waits, nothing is lost.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { type DiskFault, FAULT_CODES, FAULT_FILE_VARIABLE, FAULT_PLACES } from "#testing/failing-disk.ts";
import { makeNode, type Node } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { countImports, createIngestToken, push, readPost } from "./ingest-client.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { WORLD } from "./world.ts";

const FAULTS = budget("diskFaults");
/** A request that the disk fails must not take longer than this, on a machine that is busy with other tests too. */
const MAX_WAIT_MS = 5_000;

const home = temporaryFolder();
const dataDir = join(home.path, "data");
const faultFile = join(home.path, "fault");
const logFile = join(home.path, "triptych.log");
let node: Node;
let token: string;

before(async () => {
  token = await createIngestToken(dataDir);
  node = await makeNode(
    "failing",
    {
      DATA_DIR: dataDir,
      API_TOKEN: TEST_TOKEN,
      DEMO: "off",
      RATE_LIMIT: "off",
      SEARCH_THREADS: "0",
      LOG_FILE: logFile,
      [FAULT_FILE_VARIABLE]: faultFile,
    },
    ["--import", new URL("../testing/failing-disk.ts", import.meta.url).href],
  );
  await node.start();
});
after(async () => {
  await node.kill();
  home.remove();
});

/** The whole file appears at once: the service may read it at any moment. */
function breakDisk({ place, code }: DiskFault): void {
  writeFileSync(faultFile, `${place} ${code}`);
}

function mendDisk(): void {
  rmSync(faultFile, { force: true });
}

const logLines = () => readFileSync(logFile, "utf8").trimEnd().split("\n");
const uploadsLeft = () => readdirSync(join(dataDir, "uploads"));

async function imported(keys: readonly string[]): Promise<Awaited<ReturnType<typeof countImports>>> {
  const counts = await countImports(dataDir, keys);
  await until(async () => keys.every((key) => !uploadsLeft().includes(key)));
  return counts;
}

test("an upload for which there is no room gets a 507 in one sentence, and leaves nothing behind", async () => {
  const stored = await push(node.address, token, [1]);
  await imported([stored.key as string]);
  for (const place of ["write", "flush", "statement"] as const) {
    breakDisk({ place, code: "ENOSPC" });
    const began = performance.now();
    const { status, retryAfter, body } = await push(node.address, token, [2]);
    assert.deepEqual([status, body.code, retryAfter], [507, "insufficient_storage", "60"], place);
    assert.equal(body.detail, "no space left on the server; retry in 60 s, when there is room");
    assert.ok(performance.now() - began < MAX_WAIT_MS);
    assert.equal(await readPost(node.address, 1), 200);
    await until(async () => uploadsLeft().length === 0);
    mendDisk();
  }
  await until(async () => logLines().filter((line) => line.includes("the disk is full: reads go on")).length === 3);
  assert.doesNotMatch(logLines().find((text) => text.includes("the disk is full")) ?? "", /unexpected|stack/);
});

test("an upload that the disk fails gets a 503, and so does one that could not be flushed", async () => {
  for (const place of ["write", "flush", "statement"] as const) {
    breakDisk({ place, code: "EIO" });
    const { status, body } = await push(node.address, token, [2]);
    assert.deepEqual([status, body.code], [503, "service_unavailable"], place);
    mendDisk();
  }
});

test("an upload that was acknowledged is imported by itself when there is room again", async () => {
  breakDisk({ place: "commit", code: "ENOSPC" });
  const { status, key } = await push(node.address, token, [3]);
  assert.equal(status, 200);
  await until(async () => logLines().some((line) => line.includes("imports wait: the disk is full")));
  assert.deepEqual([await readPost(node.address, 1), await readPost(node.address, 3)], [200, 404]);
  mendDisk();
  await imported([key as string]);
  assert.equal(await readPost(node.address, 3), 200);
});

test(`a disk that fails ${FAULTS} times, anywhere, stops no read and loses no upload that was acknowledged`, async () => {
  await imported([(await push(node.address, token, [10])).key as string]);
  const acknowledged = new Map<string, number>();
  const refusals: Record<number, number> = {};
  let number = 100;
  let reads = 0;
  let slowestMs = 0;
  for (let fault = 0; fault < FAULTS; fault++) {
    const pushing = Array.from({ length: 3 }, async () => {
      await pause(120 * Math.random());
      const own = number++;
      const began = performance.now();
      const { status, key } = await push(node.address, token, [own]);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (key !== null) acknowledged.set(key, own);
      else refusals[status] = (refusals[status] ?? 0) + 1;
    });
    await pause(60 * Math.random());
    breakDisk({
      place: FAULT_PLACES[fault % FAULT_PLACES.length] as DiskFault["place"],
      code: FAULT_CODES[Math.floor(fault / FAULT_PLACES.length) % 2] as DiskFault["code"],
    });
    for (let read = 0; read < 5; read++, reads++) assert.equal(await readPost(node.address, 10), 200);
    await Promise.all(pushing);
    mendDisk();
  }
  assert.deepEqual(
    Object.keys(refusals).filter((status) => !["503", "507"].includes(status)),
    [],
  );
  assert.ok(slowestMs < MAX_WAIT_MS, `an upload waited ${Math.round(slowestMs)} ms`);
  const keys = [...acknowledged.keys()];
  assert.deepEqual(await imported(keys), { fresh: keys.length, again: 0 });
  for (const own of acknowledged.values()) assert.equal(await readPost(node.address, own), 200);
  const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0);
  reportClaim(
    "on a disk that is full or fails, at any moment, reads go on and acknowledged uploads are imported by themselves",
    `${FAULTS} faults, ${reads} of ${reads} reads, ${keys.length} uploads acknowledged: 0 lost; ${refused} refused with 503 or 507`,
  );
});

test(
  "a log that cannot be written stops nothing",
  { skip: existsSync("/dev/full") ? false : "this system has no /dev/full" },
  async () => {
    const server = await startTestServer(WORLD, { LOG_FILE: "/dev/full", LOG_LEVEL: "info" });
    try {
      for (let count = 0; count < 50; count++)
        assert.equal((await server.get("/healthz?lines=for-the-log")).status, 200);
      await pause(300);
      assert.equal((await server.get("/readyz")).status, 200);
    } finally {
      await server.close();
    }
  },
);
