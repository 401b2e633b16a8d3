/**
 * `npm run test:cluster [-- --times=10 --clients=24]`: three services, a primary and two replicas under load and writes,
 * while nodes are killed, replicas stopped, the primary restarted, killed and frozen. Prints a table; exits with 1 if a response
 * was wrong, an acknowledged record was lost, or something did not recover by itself.
 */
import { mkdirSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { loadPepper } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import { temporaryFolder } from "../test-server.ts";
import { startCluster } from "../postgres/cluster.ts";
import { LATE_FLUSHES } from "../postgres/unflushed-log.ts";
import { type Action, ACTIONS, type ClusterContext, KILLED_PRIMARY } from "./actions.ts";
import { startBalancer } from "./balancer.ts";
import { ExpectedState, type ExpectedBatch, MAX_LAG_S } from "./expected-state.ts";
import { checkLimit } from "./limit-check.ts";
import { get, type Load, createTally, startLoad, type Tally } from "./load.ts";
import { makeNode, type Node } from "#testing/service-nodes.ts";
import { startWriter, type BatchWriter } from "./writer.ts";

const NODES = ["a", "b", "c"];
const MAX_RECOVERY_MS = 5_000;
const MAX_WATCH_MS = 15_000;
/** Time without failures before the next action. */
const CALM_MS = 1_000;
const PAUSE_MS = 1_000;

interface Row {
  tally: Tally;
  recoveriesMs: number[];
}

const options = new Map(
  process.argv.slice(2).map((option) => option.replace(/^--/, "").split("=") as [string, string]),
);
const times = Number(options.get("times") ?? 10);
const clients = Number(options.get("clients") ?? 24);

const folder = temporaryFolder();
const problems: string[] = [];
const rows = new Map<string, Row>();
const cluster = await startCluster(LATE_FLUSHES);
const { url, replicaUrls } = await cluster.freshDatabase();
const pepperFile = join(folder.path, "pepper");
const nodes: Node[] = [];
for (const name of NODES) nodes.push(await makeNode(name, nodeEnvironment(name)));
try {
  // One after the other: the first creates the pepper and the tables.
  for (const node of nodes) await node.start();
  const store = await openPostgresStore({ url, applicationName: "triptych writer" });
  try {
    await run(store);
  } finally {
    await store.close();
  }
} finally {
  await Promise.all(nodes.map((node) => node.kill()));
  await cluster.stop();
  folder.remove();
}
report();

async function run(store: Store): Promise<void> {
  const balancer = await startBalancer(nodes.map(({ address }) => address));
  const state = new ExpectedState();
  const writer = startWriter(store, state, createFolder("batches"));
  while (writer.acknowledged < 100) await pause(50);
  // Nodes refresh trends some seconds after writes; the load expects a ranking from the start.
  await store.writer.refreshTrends();
  await pause(MAX_LAG_S * 1_000);
  // Stored, so that nodes look it up in the database.
  const registry = new TokenRegistry(store.tokens, loadPepper(pepperFile).tokens);
  const { token } = await registry.create({ label: "cluster run", scopes: ["read:shortvideo"] });
  const load = startLoad(balancer.url, token, state, clients);
  const databaseName = new URL(url).pathname.slice(1);
  const context: ClusterContext = { nodes, cluster, balancer, state, urlOn: (server) => server.url(databaseName) };
  await quietPhase(load);
  for (let round = 0; round < times; round++) {
    for (const [name, action] of Object.entries(ACTIONS)) {
      await eraseAccount(state, writer);
      await perform(name, action, context, round, load, writer);
    }
    console.log(`round ${round + 1} of ${times}: ${writer.acknowledged} records acknowledged`);
  }
  await load.stop();
  const unavailable = rows.get(KILLED_PRIMARY)?.tally.unavailable ?? 0;
  if (unavailable > 0) problems.push(`${unavailable} responses of 503 while the primary was dead`);
  await writer.stop();
  await pause(MAX_LAG_S * 1_000);
  await checkEveryNode(state, token);
  const { records } = await store.summary();
  const expected = state.batches.filter(({ erasedAt }) => erasedAt === Infinity).flatMap(({ posts }) => posts).length;
  const stored = records["shortvideo"]?.post;
  if (stored !== expected) problems.push(`${stored} posts are stored, ${expected} were acknowledged and not erased`);
  problems.push(...(await store.verify()));
  await limitPhase(store);
  console.log(
    `${writer.acknowledged} records acknowledged in ${state.batches.length} imports, ${writer.retries} attempts repeated; ` +
      `${balancer.retried} requests sent to a second node`,
  );
  await balancer.close();
}

function nodeEnvironment(name: string): Record<string, string> {
  return {
    DATA_DIR: join(folder.path, name),
    STORE_URL: url,
    STORE_REPLICA_URLS: replicaUrls.join(","),
    STORE_MAX_LAG_S: String(MAX_LAG_S),
    PEPPER_FILE: pepperFile,
    DEMO: "off",
    LOG_LEVEL: "silent",
    // High limits: counted but never reached.
    RATE_BURST: "1000000",
    RATE_DAILY: "1000000000",
    RATE_CONCURRENCY: "1000",
  };
}

/** The same load without any failure. */
async function quietPhase(load: Load): Promise<void> {
  const tally = createTally();
  load.count(tally);
  await pause(5_000);
  rows.set("no failure", { tally, recoveriesMs: [] });
  if (tally.unavailable > 0) problems.push(`${tally.unavailable} responses of 503 without any failure`);
}

async function perform(
  name: string,
  action: Action,
  context: ClusterContext,
  round: number,
  load: Load,
  writer: BatchWriter,
): Promise<void> {
  const row = rows.get(name) ?? { tally: createTally(), recoveriesMs: [] };
  rows.set(name, row);
  load.count(row.tally);
  await pause(PAUSE_MS);
  const { at, isUsed } = await action(context, round);
  let usedAt = Infinity;
  let wroteAt = Infinity;
  for (;;) {
    await pause(50);
    const now = performance.now();
    if (usedAt === Infinity && (await isUsed().catch(() => false))) usedAt = performance.now();
    if (wroteAt === Infinity && writer.lastAcknowledgedAt > at) wroteAt = writer.lastAcknowledgedAt;
    const calm = now - Math.max(row.tally.lastFailureAt, at) > CALM_MS;
    if ((calm && usedAt < Infinity && wroteAt < Infinity) || now - at > MAX_WATCH_MS) break;
  }
  const recovered = Math.max(row.tally.lastFailureAt - at, usedAt - at, wroteAt - at, 0);
  row.recoveriesMs.push(recovered);
  if (recovered > MAX_RECOVERY_MS) {
    const parts = { failures: row.tally.lastFailureAt - at, used: usedAt - at, written: wroteAt - at };
    problems.push(`${name}, round ${round + 1}: recovery took ${Math.round(recovered)} ms ${JSON.stringify(parts)}`);
  }
}

async function eraseAccount(state: ExpectedState, writer: BatchWriter): Promise<void> {
  const horizon = state.horizon();
  const batch = state.batches.find((candidate) => state.isDue(candidate, horizon));
  if (batch !== undefined) await writer.erase(batch);
}

/** Requests each acknowledged record from each node directly. */
async function checkEveryNode(state: ExpectedState, token: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const requests = nodes.flatMap(({ address }) =>
    state.batches.flatMap((batch) => batch.posts.map(({ id }) => ({ address, id, batch }))),
  );
  const sendAll = async () => {
    for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
      const { status } = await get(agent, `${next.address}/api/shortvideo/post/detail?videoId=${next.id}`, token);
      const expected = isErased(next.batch) ? 404 : 200;
      if (status !== expected) problems.push(`${next.id} of ${next.address}: ${status} instead of ${expected}`);
    }
  };
  await Promise.all(Array.from({ length: 12 }, sendAll));
  agent.destroy();
}

function isErased({ erasedAt }: ExpectedBatch): boolean {
  return erasedAt < Infinity;
}

async function limitPhase(store: Store): Promise<void> {
  const urls = nodes.map(({ address }) => address);
  const { limit, admitted, rejectedClients, unexpected } = await checkLimit(store, pepperFile, urls);
  console.log(`limit of ${limit} through three nodes: ${admitted} admitted, then ${rejectedClients} clients rejected`);
  // A node reports early after 1/25 of the limit, and may spend as much again until the response arrives.
  const excess = urls.length * limit * 0.08;
  if (admitted > limit + excess || admitted < limit) problems.push(`${admitted} admitted of a limit of ${limit}`);
  problems.push(...unexpected.map((response) => `limit check: unexpected ${response}`));
}

function createFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  return path;
}

function report(): void {
  console.table(
    Object.fromEntries(
      [...rows].map(([name, { tally, recoveriesMs }]) => [
        name,
        {
          times: recoveriesMs.length,
          requests: tally.requests,
          correct: tally.good,
          "503s": tally.unavailable,
          wrong: tally.wrong.length,
          "slowest (ms)": Math.round(tally.slowestMs),
          "recovery, median (ms)": medianOf(recoveriesMs),
          "recovery, worst (ms)": Math.round(Math.max(0, ...recoveriesMs)),
        },
      ]),
    ),
  );
  for (const [name, { tally }] of rows) {
    for (const [reason, count] of tally.reasons) console.log(`${name}: ${count} x 503 "${reason}"`);
  }
  for (const [name, { tally }] of rows) problems.push(...tally.wrong.map((what) => `${name}: ${what}`));
  for (const problem of problems.slice(0, 40)) console.log(problem);
  console.log(problems.length === 0 ? "No problems." : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function medianOf(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
