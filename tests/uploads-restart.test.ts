/** An upload that was acknowledged is imported, also when the service stops or dies before it comes to it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type StartedService, start } from "#serve/start.ts";
import { readConfig } from "#config";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { countImports, createIngestToken, push } from "./ingest-client.ts";
import { BIN, environment, postId } from "./spawn-import.ts";
import { bearerHeader } from "./test-tokens.ts";

const home = temporaryFolder();
after(() => home.remove());

async function pushAccepted(address: string, token: string, numbers: readonly number[]): Promise<string> {
  const { status, key } = await push(address, token, numbers);
  assert.equal(status, 200);
  return key as string;
}

function startOn(dataDir: string): Promise<StartedService> {
  return start(readConfig({ PORT: "0", DATA_DIR: dataDir, API_TOKEN: TEST_TOKEN, DEMO: "off", LOG_LEVEL: "silent" }));
}

async function statesOf(dataDir: string, keys: readonly string[]): Promise<(string | undefined)[]> {
  const store = openSqliteStore(dataDir);
  try {
    return await Promise.all(keys.map(async (key) => (await store.jobs.getJob(key))?.state));
  } finally {
    await store.close();
  }
}

async function assertServed(running: StartedService, dataDir: string, key: string, number: number): Promise<void> {
  await countImports(dataDir, [key]);
  const path = `/api/shortvideo/post/detail?videoId=${postId(number)}`;
  assert.equal((await fetch(running.startup.url + path, { headers: bearerHeader(TEST_TOKEN) })).status, 200);
  await until(async () => !existsSync(join(dataDir, "uploads", key)));
}

test("a stop lets the import under way end, and the next start takes up what waited", async () => {
  const dataDir = join(home.path, "calm");
  const token = await createIngestToken(dataDir);
  const first = await startOn(dataDir);
  // More than are imported at the same time.
  const keys = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => pushAccepted(first.startup.url, token, [number])));
  await first.stop();
  const states = await statesOf(dataDir, keys);
  assert.ok(states.includes("running"), `nothing waited: ${states.join()}`);
  for (const [at, key] of keys.entries())
    assert.equal(existsSync(join(dataDir, "uploads", key)), states[at] === "running");
  const second = await startOn(dataDir);
  try {
    for (const [at, key] of keys.entries()) await assertServed(second, dataDir, key, at + 1);
  } finally {
    await second.stop();
  }
});

test("a service that is killed right after its answer imports the upload when it is started again", async () => {
  const dataDir = join(home.path, "killed");
  const token = await createIngestToken(dataDir);
  const child = spawn(process.execPath, [BIN, "serve", "--no-demo"], { env: environment(dataDir) });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  const ended = once(child, "exit");
  let key: string;
  try {
    const address = await until(async () => /http:\/\/[\w.:[\]]+/.exec(shown)?.[0] ?? null);
    key = await pushAccepted(address, token, [7]);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  assert.deepEqual(await statesOf(dataDir, [key]), ["running"]);
  const again = await startOn(dataDir);
  try {
    await assertServed(again, dataDir, key, 7);
  } finally {
    await again.stop();
  }
});
