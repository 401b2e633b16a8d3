/**
 * `npm run bench -- scale [--items=50000 --rounds=3 --seconds=2 --only=import]`: requests per second of one node on a file and of one,
 * two and three nodes on PostgreSQL, and the import on PostgreSQL beside bare COPY of the same rows. Contenders take
 * turns, round after round, and medians are printed.
 */
import { execFile } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { makeNode, type Node } from "#testing/service-nodes.ts";
import { startServer } from "#tests/postgres/server.ts";
import { type item, writeCapture } from "./capture.ts";
import type { CallerFigures, CallerOrder } from "./scale-caller.ts";
import { copyBare, importInto, makeDatabase } from "./scale-import.ts";

const TOKEN = "token-for-benches-only-0123456789";
const CONNECTIONS = 12;
const NODES = 3;

/** As an operator would have it: what is acknowledged is on the disk. */
const HONEST = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  autovacuum: "on",
  shared_buffers: "512MB",
  max_wal_size: "4GB",
};

type Kind = "look-up" | "list" | "search";

interface Contender {
  name: string;
  addresses: string[];
}

export async function run(options: Record<string, string>): Promise<object> {
  const items = Number(options["items"] ?? 50_000);
  const rounds = Number(options["rounds"] ?? 3);
  const seconds = Number(options["seconds"] ?? 2);
  const capture = await captureOf(items);
  const folder = mkdtempSync(join(tmpdir(), "triptych-scale-"));
  const server = await startServer({ settings: HONEST });
  const nodes: Node[] = [];
  try {
    const imports = await measureImports(server, capture, folder, rounds);
    if (options["only"] === "import") {
      const results = { posts: items, rounds, import: summaryOf(items, imports) };
      console.table(results.import);
      return results;
    }
    const onFile = { DATA_DIR: join(folder, "file") };
    await importInto(capture, onFile);
    const onPostgres = { STORE_URL: server.url("imported"), PEPPER_FILE: join(folder, "pepper") };
    nodes.push(await startNode("file", onFile));
    for (let number = 1; number <= NODES; number++) {
      nodes.push(await startNode(`${number}`, { ...onPostgres, DATA_DIR: join(folder, String(number)) }));
    }
    const [file = "", ...others] = nodes.map(({ address }) => address);
    const contenders = [
      { name: "file, 1 node", addresses: [file] },
      ...others.map((_, index) => ({
        name: `PostgreSQL, ${index + 1} node${index === 0 ? "" : "s"}`,
        addresses: others.slice(0, index + 1),
      })),
    ];
    const requests = await measureRequests(contenders, await pathsIn(capture), rounds, seconds);
    const results = { posts: items, rounds, requestsPerSecond: requests, import: summaryOf(items, imports) };
    console.table(results.requestsPerSecond);
    console.table(results.import);
    console.log(
      `Nodes, callers and database share ${cpus().length} cores: more nodes share the same processor here, and only show what sharing costs.`,
    );
    console.log(
      "A file belongs to one process: a second node on it would be a second writer, so one node is the product.",
    );
    return results;
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function captureOf(items: number): Promise<string> {
  const folder = join(tmpdir(), "triptych-bench");
  mkdirSync(folder, { recursive: true });
  const capture = join(folder, `capture-${items}.ndjson`);
  if (!existsSync(capture)) {
    await writeCapture(`${capture}.part`, items);
    renameSync(`${capture}.part`, capture);
  }
  return capture;
}

async function startNode(name: string, env: Record<string, string>): Promise<Node> {
  const node = await makeNode(name, { ...env, API_TOKEN: TOKEN, DEMO: "off", LOG_LEVEL: "silent", RATE_LIMIT: "off" });
  await node.start();
  return node;
}

interface ImportRound {
  importSeconds: number;
  copySeconds: number;
  rows: number;
}

type Postgres = Awaited<ReturnType<typeof startServer>>;

async function measureImports(
  server: Postgres,
  capture: string,
  folder: string,
  rounds: number,
): Promise<ImportRound[]> {
  const measured: ImportRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const url = await makeDatabase(server, "imported");
    const importSeconds = await importInto(capture, { STORE_URL: url, DATA_DIR: join(folder, "importer") });
    await makeDatabase(server, "copied");
    const { seconds, rows } = await copyBare(server, "imported", "copied");
    console.log(`round ${round + 1}: import ${importSeconds.toFixed(1)} s, bare COPY ${seconds.toFixed(1)} s`);
    measured.push({ importSeconds, copySeconds: seconds, rows });
  }
  return measured;
}

function summaryOf(items: number, measured: readonly ImportRound[]): Record<string, number> {
  const importSeconds = middleOf(measured.map((round) => round.importSeconds));
  const copySeconds = middleOf(measured.map((round) => round.copySeconds));
  return {
    importSeconds: rounded(importSeconds),
    importPostsPerSecond: Math.round(items / importSeconds),
    copySeconds: rounded(copySeconds),
    copiedRows: measured[0]?.rows ?? 0,
    ratio: rounded(middleOf(measured.map((round) => round.copySeconds / round.importSeconds))),
  };
}

async function measureRequests(
  contenders: readonly Contender[],
  paths: Record<Kind, string[]>,
  rounds: number,
  seconds: number,
): Promise<Record<string, Record<string, number>>> {
  const kinds = Object.keys(paths) as Kind[];
  const rates = new Map<string, number[]>();
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) {
      for (const { name, addresses } of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const order = { addresses, paths: paths[kind], token: TOKEN, connections: CONNECTIONS, seconds };
        const { answered, failed, seconds: took } = await callFrom(order);
        if (round === 0) continue;
        const key = `${name}/${kind}`;
        rates.set(key, [...(rates.get(key) ?? []), answered / took]);
        if (failed > 0)
          console.log(`${name}: ${failed} of ${failed + answered} ${kind} requests were not answered 200`);
      }
    }
  }
  const rateOf = (name: string, kind: Kind) => Math.round(middleOf(rates.get(`${name}/${kind}`) ?? []));
  return Object.fromEntries(
    contenders.map(({ name }) => [name, Object.fromEntries(kinds.map((kind) => [kind, rateOf(name, kind)]))]),
  );
}

async function callFrom(order: CallerOrder): Promise<CallerFigures> {
  const caller = join(import.meta.dirname, "scale-caller.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [caller, JSON.stringify(order)]);
  return JSON.parse(stdout) as CallerFigures;
}

/** Questions about what the capture holds: posts, sounds with many posts, words that people wrote. */
async function pathsIn(capture: string): Promise<Record<Kind, string[]>> {
  const paths: Record<Kind, string[]> = { "look-up": [], list: [], search: [] };
  for await (const line of createInterface({ input: createReadStream(capture) })) {
    const { id, desc, music } = JSON.parse(line) as ReturnType<typeof item>;
    const words = desc.split(" ").slice(0, 2).join(" ");
    paths["look-up"].push(`/api/shortvideo/post/detail?videoId=${id}`);
    paths.list.push(`/api/shortvideo/music/posts?musicId=${music.id}&count=30`);
    paths.search.push(`/api/shortvideo/search/general?keyword=${encodeURIComponent(words)}`);
    if (paths.search.length === 300) break;
  }
  return paths;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
