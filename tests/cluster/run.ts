/**
 * `npm run test:cluster [-- --times=10 --callers=24]`: three services, a primary and two replicas under load and writes,
 * while nodes are killed, replicas stopped, the primary restarted and frozen. Prints what was seen; exit code 1 if any
 * answer was wrong, any acknowledged record is lost, or anything did not come back by itself.
 */
import { mkdirSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { temporaryFolder, TEST_TOKEN } from "../test-server.ts";
import { startCluster } from "../postgres/cluster.ts";
import { type Action, ACTIONS, type ClusterContext } from "./actions.ts";
import { startBalancer } from "./balancer.ts";
import { ExpectedState, type ExpectedBatch, MAX_LAG_S } from "./expected-state.ts";
import { checkLimit } from "./limit-check.ts";
import { get, type Load, createTally, startLoad, type Tally } from "./load.ts";
import { makeNode, type Node } from "#testing/service-nodes.ts";
import { startWriter, type BatchWriter } from "./writer.ts";

const NODES = ["a", "b", "c"];
const RECOVER_WITHIN_MS = 5_000;
const WATCH_AT_MOST_MS = 15_000;
/** So long must all be well before the next thing happens. */
const CALM_MS = 1_000;
const BETWEEN_MS = 1_000;

interface Row {
  tally: Tally;
  recoveriesMs: number[];
}

const options = new Map(
  process.argv.slice(2).map((option) => option.replace(/^--/, "").split("=") as [string, string]),
);
const times = Number(options.get("times") ?? 10);
const callers = Number(options.get("callers") ?? 24);

const folder = temporaryFolder();
const problems: string[] = [];
const rows = new Map<string, Row>();
const cluster = await startCluster();
const { url, replicaUrls } = await cluster.freshDatabase();
const pepperFile = join(folder.path, "pepper");
const nodes: Node[] = [];
for (const name of NODES) nodes.push(await makeNode(name, nodeEnvironment(name)));
try {
  // One after the other: the first makes the pepper and the tables.
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
  const ledger = new ExpectedState();
  const writing = startWriter(store, ledger, makeFolder("batches"));
  const load = startLoad(balancer.address, TEST_TOKEN, ledger, callers);
  const databaseName = new URL(url).pathname.slice(1);
  const stage: ClusterContext = { nodes, cluster, balancer, ledger, urlOn: (server) => server.url(databaseName) };
  await quietPhase(load, writing);
  for (let round = 0; round < times; round++) {
    for (const [name, action] of Object.entries(ACTIONS)) {
      await eraseSomebody(ledger, writing);
      await perform(name, action, stage, round, load, writing);
    }
    console.log(`round ${round + 1} of ${times}: ${writing.acknowledged} records acknowledged`);
  }
  await load.stop();
  await writing.stop();
  await pause(MAX_LAG_S * 1_000);
  await everyNodeAnswers(ledger);
  const held = await store.summary();
  const kept = ledger.batches.filter(({ erasedAt }) => erasedAt === Infinity).flatMap(({ posts }) => posts).length;
  if (held.records["shortvideo"]?.post !== kept)
    problems.push(
      `the store holds ${held.records["shortvideo"]?.post} posts, ${kept} were acknowledged and not erased`,
    );
  problems.push(...(await store.verify()));
  await limitPhase(store);
  console.log(
    `${writing.acknowledged} records acknowledged in ${ledger.batches.length} imports, ${writing.retries} attempts made again; ` +
      `${balancer.retried} requests asked of a second node`,
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
    API_TOKEN: TEST_TOKEN,
    DEMO: "off",
    LOG_LEVEL: "silent",
    // Counted and never reached: what is measured is what replicas answer.
    RATE_BURST: "1000000",
    RATE_DAILY: "1000000000",
    RATE_CONCURRENCY: "1000",
  };
}

/** Nothing happens: what the same load sees without any trouble. */
async function quietPhase(load: Load, writing: BatchWriter): Promise<void> {
  while (writing.acknowledged < 100) await pause(50);
  const tally = createTally();
  load.count(tally);
  await pause(5_000);
  rows.set("nothing", { tally, recoveriesMs: [] });
  if (tally.unavailable > 0) problems.push(`${tally.unavailable} answers of 503 while nothing happened`);
}

async function perform(
  name: string,
  action: Action,
  stage: ClusterContext,
  round: number,
  load: Load,
  writing: BatchWriter,
): Promise<void> {
  const row = rows.get(name) ?? { tally: createTally(), recoveriesMs: [] };
  rows.set(name, row);
  load.count(row.tally);
  await pause(BETWEEN_MS);
  const { at, isUsed } = await action(stage, round);
  let usedAt = Infinity;
  let wroteAt = Infinity;
  for (;;) {
    await pause(50);
    const now = performance.now();
    if (usedAt === Infinity && (await isUsed().catch(() => false))) usedAt = performance.now();
    if (wroteAt === Infinity && writing.lastAcknowledgedAt > at) wroteAt = writing.lastAcknowledgedAt;
    const calm = now - Math.max(row.tally.lastFailureAt, at) > CALM_MS;
    if ((calm && usedAt < Infinity && wroteAt < Infinity) || now - at > WATCH_AT_MOST_MS) break;
  }
  const recovered = Math.max(row.tally.lastFailureAt - at, usedAt - at, wroteAt - at, 0);
  row.recoveriesMs.push(recovered);
  if (recovered > RECOVER_WITHIN_MS) {
    const parts = { failures: row.tally.lastFailureAt - at, used: usedAt - at, written: wroteAt - at };
    problems.push(`${name}, round ${round + 1}: recovery took ${Math.round(recovered)} ms ${JSON.stringify(parts)}`);
  }
}

async function eraseSomebody(ledger: ExpectedState, writing: BatchWriter): Promise<void> {
  const horizon = ledger.horizon();
  const batch = ledger.batches.find((candidate) => ledger.isDue(candidate, horizon));
  if (batch !== undefined) await writing.erase(batch);
}

/** Each acknowledged record is asked of each node itself. */
async function everyNodeAnswers(ledger: ExpectedState): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const asked = nodes.flatMap(({ address }) =>
    ledger.batches.flatMap((batch) => batch.posts.map(({ id }) => ({ address, id, batch }))),
  );
  const askNext = async () => {
    for (let next = asked.pop(); next !== undefined; next = asked.pop()) {
      const { status } = await get(agent, `${next.address}/api/shortvideo/post/detail?videoId=${next.id}`, TEST_TOKEN);
      const expected = isErased(next.batch) ? 404 : 200;
      if (status !== expected) problems.push(`${next.id} of ${next.address}: ${status}, not ${expected}`);
    }
  };
  await Promise.all(Array.from({ length: 12 }, askNext));
  agent.destroy();
}

function isErased({ erasedAt }: ExpectedBatch): boolean {
  return erasedAt < Infinity;
}

async function limitPhase(store: Store): Promise<void> {
  const addresses = nodes.map(({ address }) => address);
  const { limit, admitted, rejectedClients: refused, unexpected } = await checkLimit(store, pepperFile, addresses);
  console.log(`limit of ${limit} through three nodes: ${admitted} admitted, then ${refused} callers refused`);
  // A 25th of the limit is reported out of turn; as much again may be spent until the answer comes.
  const excess = addresses.length * limit * 0.08;
  if (admitted > limit + excess || admitted < limit) problems.push(`${admitted} admitted of a limit of ${limit}`);
  problems.push(...unexpected.map((answer) => `the limit's caller was answered ${answer}`));
}

function makeFolder(name: string): string {
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
          right: tally.good,
          "503s": tally.unavailable,
          wrong: tally.wrong.length,
          "slowest (ms)": Math.round(tally.slowestMs),
          "recovery, median (ms)": middleOf(recoveriesMs),
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
  console.log(problems.length === 0 ? "All as it should be." : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function middleOf(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
