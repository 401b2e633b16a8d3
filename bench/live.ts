/**
 * `npm run bench -- live [--rounds=5 --seconds=5 --rate=300 --misses=8]`: p99 of stored reads while other clients request
 * missing channels of a live source that begins to hang, drip, lie or flood, beside the same with requests that leave the
 * source out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { LiveNodeOptions } from "#testing/live-node.ts";
import { measureLoad } from "./live-load.ts";
import { startUpstream, type UpstreamMode, type UpstreamProcess } from "./live-upstream.ts";
import { startTarget, type Target } from "./processes.ts";
import { atMost, interleave, measured, ratios, type Result } from "./report.ts";

const TOKEN = "token-for-benches-only-0123456789";
const MAX_RATIO = 1.2;
const WARM_UP_S = 2;
const NODE = resolve(import.meta.dirname, "../testing/live-node.ts");
const MODES = ["not asked", "hang", "drip", "lie", "flood"] as const satisfies ("not asked" | UpstreamMode)[];
type Mode = (typeof MODES)[number];

interface Round {
  /** Of stored reads, in milliseconds. */
  p99: number;
  /** That the source received. */
  calls: number;
}

export async function run(options: Record<string, string>): Promise<Result[]> {
  const { rounds = "5", seconds = "5", rate = "300", misses = "8" } = options;
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-bench-live-"));
  const upstream = await startUpstream();
  const clients = { token: TOKEN, perSecond: Number(rate), misses: Number(misses) };
  let count = 1;
  /** With a service of its own: one that has paused the source would not be disturbed by it any more. */
  const measure = async (mode: Mode): Promise<Round> => {
    const target = await startService(dataDir, upstream);
    try {
      const load = { ...clients, url: target.url, videos: await listVideos(target) };
      await upstream.setMode("answer");
      await measureLoad({ ...load, round: count++, isAsked: true, seconds: WARM_UP_S });
      await upstream.setMode(mode === "not asked" ? "hang" : mode);
      const p99 = await measureLoad({
        ...load,
        round: count++,
        isAsked: mode !== "not asked",
        seconds: Number(seconds),
      });
      return { p99, calls: await upstream.setMode("hang") };
    } finally {
      await target.stop();
    }
  };
  try {
    const [alone = [], ...others] = await interleave(MODES, Number(rounds), measure);
    const p99Of = (figures: readonly Round[]) => figures.map(({ p99 }) => p99);
    return [
      measured("p99 of stored reads, source: not asked, ms", p99Of(alone)),
      ...others.flatMap((figures, index) => {
        const mode = MODES[index + 1] as Mode;
        return [
          measured(
            `calls to the source: ${mode}`,
            figures.map(({ calls }) => calls),
          ),
          measured(`p99 of stored reads, source: ${mode}, ms`, p99Of(figures)),
          atMost(MAX_RATIO, measured(`beside not asked, source: ${mode}`, ratios(p99Of(figures), p99Of(alone)))),
        ];
      }),
    ];
  } finally {
    await upstream.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startService(dataDir: string, { dial }: UpstreamProcess): Promise<Target> {
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
      live: { dial, callTimeoutMs: 1_000 },
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
