import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { dryRunClaims } from "#import/claims.ts";
import type { ClaimResponse, ClaimSource, ReadBatch } from "#import/read-files.ts";
import { IdleParser, startParserThread } from "./parser-thread.ts";

const ON_SERVER = {
  store: { url: "postgres://nobody@127.0.0.1:1/none", replicaUrls: [], maxLagS: 2 },
  importTimeoutS: 60,
};

const IN_FILE = { store: null, importTimeoutS: 60 };

async function readBatches(
  path: string,
  claims: ClaimSource,
  idle: IdleParser | null = null,
  config: typeof ON_SERVER | typeof IN_FILE = ON_SERVER,
  write: () => Promise<void> = async () => undefined,
): Promise<ReadBatch[]> {
  const request = {
    paths: [path],
    claims,
    subject: null,
    namesAreIds: false,
    mapping: null,
    capturedAt: 1_790_000_000_000,
    spoolFolder: tmpdir(),
    skipDuplicates: true,
    claimRetryMs: null,
  };
  const batches: ReadBatch[] = [];
  for await (const step of startParserThread(config, idle).read(request)) {
    if (step.kind !== "batch") continue;
    batches.push(step);
    await write();
  }
  return batches;
}

test("a thread that fails never looks as if it had read everything", async () => {
  const broken = { claimId: 1, name: "capture.ndjson", previous: [null] } as object as ClaimResponse;
  const claims = { lostClaims: new Set<number>(), claim: () => Promise.resolve(broken) };
  await assert.rejects(readBatches(import.meta.filename, claims), { name: "TypeError" });
});

test("a response that the protocol does not know fails the import with a clear error", async () => {
  const claims = { lostClaims: new Set<number>(), claim: () => Promise.resolve("maybe" as ClaimResponse) };
  const message = /^RPC method claim has no valid result$/;
  await assert.rejects(readBatches(import.meta.filename, claims), { message });
});

function postLine(number: number, desc = "tea"): string {
  return JSON.stringify({
    id: `${7_300_000_000_000_000_001n + BigInt(number)}`,
    desc,
    createTime: 1_700_000_000,
    author: { id: "1", uniqueId: "mira" },
    stats: { playCount: number },
    video: { duration: 9 },
  });
}

function postIds(batches: ReadBatch[]): string[] {
  const records = batches.flatMap(({ byPlatform }) => byPlatform.get("shortvideo")?.records ?? []);
  return records.filter(({ kind }) => kind === "post").map(({ incoming }) => incoming.id);
}

test("merged batches contain every record once, and positions increase to the end; the thread then serves another import", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-parser-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "posts.ndjson");
  const posts = Array.from({ length: 4_500 }, (_, number) => postLine(number));
  writeFileSync(path, posts.join("\n"));
  const idle = new IdleParser();
  t.after(() => idle.close());
  const batches = await readBatches(path, dryRunClaims(), idle);
  const ids = postIds(batches);
  assert.deepEqual([ids.length, new Set(ids).size], [posts.length, posts.length]);
  assert.ok(batches.length > 1, "nothing to merge");
  const positions = batches.map(({ position }) => position);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
  assert.deepEqual([positions.at(-1), batches.at(-1)?.state], [posts.length, "done"]);
  assert.equal(
    batches.reduce((sum, { recordCount }) => sum + recordCount, 0),
    batches.flatMap(({ byPlatform }) => byPlatform.get("shortvideo")?.records ?? []).length,
  );

  const thread = idle.take();
  assert.ok(thread !== null, "it does not wait");
  await idle.put(thread);
  writeFileSync(path, [postLine(9_001), postLine(9_002)].join("\n"));
  const next = await readBatches(path, dryRunClaims(), idle);
  assert.deepEqual(postIds(next), ["7300000000000009002", "7300000000000009003"]);
  assert.equal(next.at(-1)?.state, "done");
  assert.equal(idle.take(), thread, "another one was started");
  await idle.put(thread);
});

test("a thread waits for a writer for any time", { timeout: 120_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-parser-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "posts.ndjson");
  const posts = Array.from({ length: 4_500 }, (_, number) => postLine(number));
  writeFileSync(path, posts.join("\n"));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const messages: unknown[] = [];
  const onWorker = (worker: Worker) => worker.on("message", (message: unknown) => messages.push(message));
  process.once("worker", onWorker);
  const batches = await readBatches(path, dryRunClaims(), null, IN_FILE, async () => {
    // Its first messages: it has got the request, asks for the file, and has parsed two batches.
    while (messages.length < 4) await nextTick();
    await nextTick();
    t.mock.timers.tick(600_000);
  });
  assert.equal(postIds(batches).length, posts.length);
  assert.ok(batches.length > 2, "it did not wait between batches");
});

test("long texts make batches of fewer records", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-parser-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "posts.ndjson");
  const posts = Array.from({ length: 40 }, (_, number) => postLine(number, "tea ".repeat(25_000)));
  writeFileSync(path, posts.join("\n"));
  const batches = await readBatches(path, dryRunClaims(), null, IN_FILE);
  assert.equal(postIds(batches).length, posts.length);
  // Each is one transaction, for which other writers wait.
  const longest = Math.max(...batches.map(({ textLength }) => textLength));
  assert.ok(longest < 2.5 * 1024 * 1024, `${longest} characters are in one`);
});
