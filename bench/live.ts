/**
 * `npm run bench -- live [--rounds=5 --seconds=5 --connections=4 --misses=8]`: p99 of stored reads while other clients request
 * missing videos of a live source that hangs, drips or floods, beside the same with requests that leave the source out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Misbehaviour, Upstream } from "#testing/upstream.ts";
import { YOUTUBE_HOST } from "#testing/youtube-api.ts";
import type { LiveNodeOptions } from "#testing/live-node.ts";
import { startTarget, type Target } from "./processes.ts";
import { atMost, interleave, measured, percentile, ratios, type Result } from "./report.ts";

/** Between the requests of a client for missing videos: a source that is paused is answered for at once. */
const PAUSE_MS = 50;
const TOKEN = "token-for-benches-only-0123456789";
const MAX_RATIO = 1.2;
const NODE = resolve(import.meta.dirname, "../testing/live-node.ts");
const MODES = ["not asked", "hang", "drip", "flood"] as const;
type Mode = (typeof MODES)[number];

export async function run(options: Record<string, string>): Promise<Result[]> {
  const { rounds = "5", seconds = "5", connections = "4", misses = "8" } = options;
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-bench-live-"));
  const upstream = await Upstream.start([YOUTUBE_HOST], () => "hang");
  const target = await startService(dataDir, upstream);
  const load = { seconds: Number(seconds), connections: Number(connections), misses: Number(misses) };
  try {
    const videos = await listVideos(target);
    const measure = (mode: Mode) => measureRound(target, upstream, mode, { ...load, videos });
    await measure("not asked");
    const figures = await interleave(MODES, Number(rounds), measure);
    const [alone = [], ...others] = figures;
    return [
      measured("p99 of stored reads, source: not asked, ms", alone),
      ...others.flatMap((values, index) => {
        const mode = MODES[index + 1] as Mode;
        return [
          measured(`p99 of stored reads, source: ${mode}, ms`, values),
          atMost(MAX_RATIO, measured(`beside not asked, source: ${mode}`, ratios(values, alone))),
        ];
      }),
    ];
  } finally {
    await target.stop();
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startService(dataDir: string, upstream: Upstream): Promise<Target> {
  return startTarget("triptych", "/readyz", (port) => {
    const node: LiveNodeOptions = {
      env: {
        PORT: port,
        DATA_DIR: dataDir,
        API_TOKEN: TOKEN,
        RATE_LIMIT: "off",
        LOG_FILE: join(dataDir, "log"),
        LIVE_SOURCES: "youtube-data-api",
        YOUTUBE_API_KEY: "invented-key-0123456789",
        LIVE_QUOTAS: "youtube-data-api.units=100000000",
        LIVE_DEADLINE_MS: "500",
      },
      live: { dial: upstream.dial, callTimeoutMs: 1_000 },
    };
    return { args: ["--max-semi-space-size=8", NODE, JSON.stringify(node)], env: {} };
  });
}

/** Of the demo world. */
async function listVideos({ url }: Target): Promise<string[]> {
  const headers = { authorization: `Bearer ${TOKEN}`, "cache-control": "only-if-cached" };
  const response = await fetch(`${url}/api/longvideo/trending?country=US`, { headers });
  const { videos } = (await response.json()) as { videos: { video_id: string }[] };
  if (videos.length === 0) throw new Error("the demo world has no trending videos");
  return videos.map(({ video_id }) => video_id);
}

interface LiveLoad {
  /** Ids of stored videos. */
  videos: readonly string[];
  seconds: number;
  connections: number;
  /** Clients that request what is not stored. */
  misses: number;
}

let missing = 0;

/** Returns the p99 in milliseconds. */
async function measureRound({ url }: Target, upstream: Upstream, mode: Mode, load: LiveLoad): Promise<number> {
  upstream.reset(() => (mode === "not asked" ? "hang" : (mode satisfies Misbehaviour)));
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + load.seconds * 1_000;
  const times: number[] = [];
  const readStored = async (client: number) => {
    for (let index = client; performance.now() < until; index++) {
      const startedAt = performance.now();
      const status = await request(
        agent,
        `${url}/api/longvideo/video/details?video_id=${load.videos[index % load.videos.length]}`,
      );
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`a stored read was answered with ${status}`);
    }
  };
  const requestMissing = async () => {
    while (performance.now() < until) {
      const path = `/api/longvideo/video/details?video_id=missing${missing++}`;
      const status = await request(
        agent,
        url + path,
        mode === "not asked" ? { "cache-control": "only-if-cached" } : {},
      );
      if (status !== 404) throw new Error(`a missing video was answered with ${status}`);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([
    ...Array.from({ length: load.connections }, (_, client) => readStored(client)),
    ...Array.from({ length: load.misses }, requestMissing),
  ]);
  agent.destroy();
  return percentile(times, 0.99);
}

function request(agent: Agent, url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolveStatus, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }, (response) => {
      response.resume().on("end", () => resolveStatus(response.statusCode ?? 0));
    }).on("error", reject);
  });
}
