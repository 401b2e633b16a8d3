/**
 * `npm run bench -- http [--posts=1000000 --rounds=5 --seconds=1 --warmup=10 --connections=16 --store=postgres
 * --only=hit,zipf-lookup,zipf-list,uniform-lookup,not-modified,cors]`: processor time of the
 * service per request beside bare node:http that sends the same bytes and headers. `--store=postgres` measures the
 * repeated look-up on PostgreSQL.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "#tests/postgres/server.ts";
import { drawIndices, type Pattern } from "./access-patterns.ts";
import { type Keys, openCorpus, writeCaptures } from "./corpus.ts";
import { type LoadRequest, type Round, sendLoad } from "./load.ts";
import { startTarget, type Target, usageOf } from "./processes.ts";
import { type Recording, recordResponses } from "./record-response.ts";
import { atLeast, atMost, format, interleave, measured, median, ratios, type Result } from "./report.ts";
import { createToken, importCaptures, type Settings, startService } from "./service.ts";

const MAX_MEMORY_MB = 350;
const MAX_START_MS = 1_000;
/** More than autocannon can send, so that a round does not begin its list again. */
const REQUESTS_PER_SECOND = 30_000;
/** Each needs an ETag, so it is requested before. */
const CONDITIONAL_REQUESTS = 5_000;
const SAMPLES = 51;
const ORIGIN = "https://app.example";

interface Operation {
  keys: keyof Keys;
  request: (key: string) => LoadRequest;
}

const get = (path: string, name: string, more = "") => ({
  request: (key: string): LoadRequest => ({ path: `/api/${path}?${name}=${key}${more}` }),
});
const post = (path: string, more: string): Pick<Operation, "request"> => ({
  request: (key) => ({
    method: "POST",
    path: `/api/${path}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `username_or_url=${key}${more}`,
  }),
});

const OPERATIONS = {
  "post/detail": { keys: "posts", ...get("shortvideo/post/detail", "videoId") },
  "user/info-with-region": { keys: "people", ...get("shortvideo/user/info-with-region", "uniqueId") },
  "video/details": { keys: "videos", ...get("longvideo/video/details", "video_id") },
  "get-profile": { keys: "accounts", ...get("photoshare/get-profile", "username_or_url") },
  "music/posts": { keys: "sounds", ...get("shortvideo/music/posts", "musicId", "&count=30") },
  "post/comments": { keys: "commented", ...get("shortvideo/post/comments", "videoId", "&count=50") },
  "get-posts": { keys: "accounts", ...post("photoshare/get-posts", "&amount=12") },
} satisfies Record<string, Operation>;

type OperationName = keyof typeof OPERATIONS;

interface Case {
  name: string;
  operations: OperationName[];
  /** "single": the same request again and again. */
  pattern: Pattern | "single";
  conditional?: boolean;
  cors?: boolean;
  /** Least share of bare node:http, by processor time. */
  threshold: number;
}

const LOOKUPS: OperationName[] = ["post/detail", "user/info-with-region", "video/details", "get-profile"];
const LISTS: OperationName[] = ["music/posts", "post/comments", "get-posts"];

const CASES: Case[] = [
  { name: "hit", pattern: "single", operations: ["post/detail"], threshold: 0.75 },
  { name: "zipf-lookup", pattern: "zipf", operations: LOOKUPS, threshold: 0.55 },
  { name: "zipf-list", pattern: "zipf", operations: LISTS, threshold: 0.6 },
  { name: "uniform-lookup", pattern: "uniform", operations: ["post/detail"], threshold: 0.35 },
  { name: "not-modified", pattern: "zipf", operations: ["post/detail"], conditional: true, threshold: 0.75 },
];
/** The same with CORS_ORIGINS set and an Origin header, with one operation each. */
const CORS_CASES = CASES.map((plain): Case => ({ ...plain, operations: plain.operations.slice(0, 1), cors: true }));

interface Setup {
  rounds: number;
  seconds: number;
  warmup: number;
  connections: number;
  folder: string;
  keys: Keys;
  settings: Settings;
  token: string;
  services: { readyMs: number; peakMB: number }[];
}

export async function run(options: Record<string, string>): Promise<Result[]> {
  const onPostgres = options["store"] === "postgres";
  const only = options["only"]?.split(",") ?? (onPostgres ? ["hit"] : [...CASES.map(({ name }) => name), "cors"]);
  const cases = [...CASES, ...CORS_CASES].filter(({ name, cors }) => only.includes(cors ? "cors" : name));
  if (cases.length === 0)
    throw new Error(`--only names no case; there are ${CASES.map(({ name }) => name).join(", ")}, cors`);
  const folder = mkdtempSync(join(tmpdir(), "triptych-http-"));
  const posts = Number(options["posts"] ?? (onPostgres ? 20_000 : 1_000_000));
  const store = onPostgres ? await fillPostgres(posts, folder) : await openFile(posts);
  try {
    const setup: Setup = {
      rounds: Number(options["rounds"] ?? 5),
      seconds: Number(options["seconds"] ?? 1),
      warmup: Number(options["warmup"] ?? 10),
      connections: Number(options["connections"] ?? 16),
      folder,
      ...store,
      token: await createToken(store.settings),
      services: [],
    };
    const results: Result[] = [];
    for (const benchCase of cases) {
      for (const operation of benchCase.operations) {
        results.push(...(await measureCase(setup, benchCase, operation)));
      }
    }
    const maxMB = Math.max(...setup.services.map(({ peakMB }) => peakMB));
    return [
      ...results,
      atMost(MAX_MEMORY_MB, { name: "max RSS of the service, MB", value: maxMB }),
      atMost(
        MAX_START_MS,
        measured(
          "start to ready, ms",
          setup.services.map(({ readyMs }) => readyMs),
        ),
      ),
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openFile(posts: number) {
  const { dataDir, keys } = await openCorpus(posts);
  return { keys, settings: { DATA_DIR: dataDir }, close: async () => undefined };
}

async function fillPostgres(posts: number, folder: string) {
  const server = await startServer({ settings: { shared_buffers: "512MB", autovacuum: "on" } });
  const settings = { STORE_URL: server.url("postgres"), DATA_DIR: join(folder, "data") };
  const captures = join(folder, "captures");
  const keys = await writeCaptures(captures, posts);
  await importCaptures([captures], settings);
  return { keys, settings, close: () => server.stop() };
}

/** Each case has a service of its own: what one leaves in the cache would be in the way of the next. */
async function measureCase(setup: Setup, benchCase: Case, name: OperationName): Promise<Result[]> {
  const { rounds, seconds, warmup, connections, folder, token, settings } = setup;
  const logFile = join(folder, "service.log");
  const corsSettings: Settings = benchCase.cors ? { CORS_ORIGINS: ORIGIN } : {};
  const headers = { authorization: `Bearer ${token}`, ...(benchCase.cors && { origin: ORIGIN }) };
  const service = await startService({ ...settings, ...corsSettings }, logFile);
  const targets: Target[] = [service];
  try {
    const sequence = await drawRequests(setup, benchCase, OPERATIONS[name], service, headers);
    const recordings = await recordResponses(service.url, sequence.slice(0, SAMPLES), headers);
    targets.push(await startBare(recordings, folder));
    // From the end of the list, so that rounds do not find their own requests cached.
    const warmupRequests = sequence.slice(-REQUESTS_PER_SECOND * warmup);
    await sendLoad(service, { requests: warmupRequests, headers, connections, seconds: warmup });
    const perRound = REQUESTS_PER_SECOND * seconds;
    const [ours = [], bare = []] = await interleave(targets, rounds + 1, (target, round) => {
      const first = (round * perRound) % sequence.length;
      const requests = sequence.slice(first, first + perRound);
      return sendLoad(target, { requests, headers, connections, seconds });
    });
    setup.services.push({ readyMs: service.readyMs, peakMB: usageOf(service.pid).peakMB });
    const label = `${benchCase.cors ? "cors, " : ""}${benchCase.name}, ${name}`;
    const [rate, share] = summarise(label, ours.slice(1), bare.slice(1));
    // The targets are those of the file.
    return "STORE_URL" in settings ? [rate, share] : [atLeast(benchCase.threshold, share)];
  } finally {
    for (const target of targets) await target.stop();
    // Hours of requests would fill the disk.
    rmSync(logFile, { force: true });
  }
}

function summarise(label: string, ours: readonly Round[], bare: readonly Round[]): [rate: Result, share: Result] {
  const cpu = (rounds: readonly Round[]) => rounds.map(({ cpuMicros }) => cpuMicros);
  const rate = (rounds: readonly Round[]) => rounds.map(({ perSecond }) => perSecond);
  console.log(
    `${label}: ${format(median(cpu(ours)))} µs of processor time, bare ${format(median(cpu(bare)))};`,
    `${format(median(rate(ours)))} requests/s, bare ${format(median(rate(bare)))}`,
  );
  const share = measured(`${label}: share of bare`, ratios(cpu(bare), cpu(ours)));
  return [measured(`${label}: requests/s`, rate(ours)), share];
}

async function drawRequests(
  { keys, rounds, seconds, warmup }: Setup,
  { pattern, conditional }: Case,
  operation: Operation,
  { url }: Target,
  headers: Record<string, string>,
): Promise<LoadRequest[]> {
  const list = keys[operation.keys];
  if (pattern === "single") return [operation.request(list[0] as string)];
  const length = conditional ? CONDITIONAL_REQUESTS : REQUESTS_PER_SECOND * ((rounds + 1) * seconds + warmup);
  const requests = Array.from(drawIndices(pattern, list.length, length), (index) =>
    operation.request(list[index] as string),
  );
  if (!conditional) return requests;
  const recordings = await recordResponses(url, requests, headers);
  return requests.map((request, index) => ({
    ...request,
    headers: { "if-none-match": recordings[index]?.etag ?? "" },
  }));
}

/** Sends the response of median length. */
function startBare(recordings: readonly Recording[], folder: string): Promise<Target> {
  const sorted = recordings.toSorted((a, b) => a.body.length - b.body.length);
  const file = join(folder, "recording.json");
  writeFileSync(file, JSON.stringify(sorted[Math.floor(sorted.length / 2)]));
  const program = join(import.meta.dirname, "bare-server.ts");
  return startTarget("node:http", "/", (port) => ({ args: [program, file, port], env: {} }));
}
